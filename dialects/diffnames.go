package dialects

import (
	"path"
	"slices"
	"strings"

	"putcut/refusal"
)

const devNull = "/dev/null"

// prefixes are the pairs of prefixes that git puts before the two names.
var prefixes = [][2]string{
	{"a/", "b/"}, {"i/", "w/"}, {"c/", "i/"}, {"c/", "w/"}, {"o/", "w/"}, {"1/", "2/"},
}

// target is the file a diff changes, and where it moves to.
func (l *lowering) target(fd *fileDiff) (from, to string, err error) {
	if fd.from != "" || fd.to != "" {
		if fd.from == "" || fd.to == "" {
			return "", "", at(refusal.ParseFailed, fd.row, "the diff names one side of a rename or copy only").WithNext("Send both rows")
		}
		return fd.from, fd.to, nil
	}
	old, now := fd.oldName, fd.newName
	if !fd.named || fd.git && (old == devNull || now == devNull) {
		a, b, ok := splitGitNames(fd.gitNames, l.opt.Strip)
		if fd.git && ok {
			if fd.named && old == devNull {
				a = devNull
			}
			if fd.named && now == devNull {
				b = devNull
			}
			return l.choose(fd, a, b)
		}
		if !fd.named {
			return "", "", at(refusal.ParseFailed, fd.row, "the two names in %s cannot be told apart", show("diff --git "+fd.gitNames)).
				WithNext("Send the diff with its `---` and `+++` rows")
		}
	}
	a, b, ok := strip(old, now, l.opt.Strip, fd.git)
	if !ok {
		return "", "", at(refusal.ParseFailed, fd.row, "the names %s and %s have too few parts for the number to be stripped", show(old), show(now))
	}
	return l.choose(fd, a, b)
}

// choose picks the one file that two names mean.
func (l *lowering) choose(fd *fileDiff, old, now string) (from, to string, err error) {
	switch {
	case old == devNull && now == devNull:
		return "", "", at(refusal.ParseFailed, fd.row, "both names are /dev/null").WithNext("Name the file")
	case old == devNull || fd.created || fd.oldEpoch && fd.oldEmpty():
		fd.created = true
		if now == devNull {
			now = old
		}
		return now, "", nil
	case now == devNull || fd.deleted || fd.newEpoch && fd.newEmpty():
		fd.deleted = true
		return old, "", nil
	case path.Clean(old) == path.Clean(now):
		return now, "", nil
	}
	a, b := l.exists(old), l.exists(now)
	switch {
	case a && b:
		return "", "", at(refusal.InvalidArgument, fd.row, "the diff names %s and %s, and both exist", old, now).WithNext("Say which file it changes")
	case a:
		return old, "", nil
	}
	return now, "", nil
}

func (fd *fileDiff) oldEmpty() bool {
	return !slices.ContainsFunc(fd.hunks, func(h diffHunk) bool { return h.oldCount > 0 })
}

func (fd *fileDiff) newEmpty() bool {
	return !slices.ContainsFunc(fd.hunks, func(h diffHunk) bool { return h.newCount > 0 })
}

// strip takes leading parts off two names: as many as asked for, or the
// prefixes that git writes, when both sides have them.
func strip(old, now string, n int, git bool) (a, b string, ok bool) {
	if n > 0 {
		a, okA := dropParts(old, n-1)
		b, okB := dropParts(now, n-1)
		return a, b, okA && okB
	}
	if !git {
		a, okA := cutOr(old, "a/")
		b, okB := cutOr(now, "b/")
		if okA && okB {
			return a, b, true
		}
		return old, now, true
	}
	for _, p := range prefixes {
		for _, q := range [][2]string{p, {p[1], p[0]}} {
			x, okX := cutOr(old, q[0])
			y, okY := cutOr(now, q[1])
			if okX && okY {
				return x, y, true
			}
		}
	}
	return old, now, true
}

// cutOr cuts a prefix; /dev/null has every prefix.
func cutOr(name, prefix string) (string, bool) {
	if name == devNull {
		return name, true
	}
	rest, ok := strings.CutPrefix(name, prefix)
	return rest, ok && rest != ""
}

func dropParts(name string, n int) (string, bool) {
	if name == devNull {
		return name, true
	}
	for ; n > 0; n-- {
		_, rest, ok := strings.Cut(name, "/")
		if !ok || rest == "" {
			return "", false
		}
		name = strings.TrimLeft(rest, "/")
	}
	return name, name != ""
}

// splitGitNames splits what follows `diff --git `: two names that are the same
// once stripped, each bare or in quotes.
func splitGitNames(s string, n int) (a, b string, ok bool) {
	if strings.HasPrefix(s, `"`) || strings.HasSuffix(s, `"`) {
		cutAt := -1
		if strings.HasPrefix(s, `"`) {
			cutAt = quotedEnd(s)
		} else {
			cutAt = strings.Index(s, ` "`)
		}
		if cutAt < 0 || cutAt >= len(s) || s[cutAt] != ' ' {
			return "", "", false
		}
		x, okX := unquoteName(s[:cutAt])
		y, okY := unquoteName(s[cutAt+1:])
		if !okX || !okY {
			return "", "", false
		}
		a, b, ok = strip(x, y, n, true)
		return a, b, ok && a == b
	}
	found := 0
	for i := 0; i < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		x, y, okN := strip(s[:i], s[i+1:], n, true)
		if okN && x == y && x != "" {
			found++
			a, b = x, y
		}
	}
	return a, b, found == 1
}
