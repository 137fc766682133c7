package search

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is looked for at once.
const (
	maxNeedles = 8
	maxNeedle  = 64 // bytes
)

// facts are what is known of the text that a part of a pattern matches.
type facts struct {
	// exact is every text it can match, when these are few; nil when not.
	exact []string
	// need is such that every text it matches holds at least one of these; nil
	// when nothing is known. It is not set when exact is.
	need []string
	// folded says that need is in lower case and its letters stand for both
	// cases. exact is never folded.
	folded bool
	// edges says that the part asserts a line's end or a word's, so that a text
	// of exact is not all that a match takes.
	edges bool
}

// study works out the facts of a pattern. Its cost is that of a walk over the
// tree. When any letter in the tree folds, all needles do.
func study(re *syntax.Regexp) facts {
	return student{folds(re)}.facts(re)
}

func folds(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(re.Sub, folds)
}

type student struct{ folded bool }

func (s student) facts(re *syntax.Regexp) facts {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return s.given("")
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		f := s.given("")
		f.edges = true
		return f
	case syntax.OpLiteral:
		if slices.Contains(re.Rune, utf8.RuneError) {
			// It matches bytes that are not valid UTF-8, too.
			return facts{}
		}
		return s.given(string(re.Rune))
	case syntax.OpCharClass:
		return s.class(re.Rune)
	case syntax.OpCapture:
		return s.facts(re.Sub[0])
	case syntax.OpPlus:
		return s.facts(re.Sub[0]).needed()
	case syntax.OpRepeat:
		if re.Min > 0 {
			return s.facts(re.Sub[0]).needed()
		}
	case syntax.OpConcat:
		return s.concat(re.Sub)
	case syntax.OpAlternate:
		return s.alternate(re.Sub)
	}
	return facts{edges: true}
}

// given is one exact text.
func (s student) given(text string) facts {
	if s.folded && text != "" {
		if run := foldable(text); run != "" {
			return facts{need: []string{run}, folded: true}
		}
		return facts{folded: true}
	}
	return facts{exact: []string{text}}
}

// foldable is the longest part of a text that matches in any case by ASCII
// alone, in lower case. The letters k and s are left out, since the Kelvin sign
// and the long s fold to them.
func foldable(text string) string {
	best, from := "", 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			if c := text[i] | 0x20; text[i] < utf8.RuneSelf && c != 'k' && c != 's' {
				continue
			}
		}
		if i-from > len(best) {
			best = text[from:i]
		}
		from = i + 1
	}
	return strings.ToLower(best)
}

func (s student) class(ranges []rune) facts {
	if s.folded {
		return facts{}
	}
	var out []string
	for i := 0; i+1 < len(ranges); i += 2 {
		if int(ranges[i+1]-ranges[i]) >= maxNeedles-len(out) {
			return facts{}
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if r == utf8.RuneError || r > unicode.MaxRune {
				return facts{}
			}
			if r != '\n' {
				out = append(out, string(r))
			}
		}
	}
	if len(out) == 0 {
		return facts{}
	}
	return facts{exact: out}
}

// needed is f for a part that may match f's texts and more.
func (f facts) needed() facts {
	if f.exact != nil {
		f.need, f.exact = f.exact, nil
	}
	return f
}

func (s student) concat(subs []*syntax.Regexp) facts {
	run := []string{""} // exact texts of the parts since the last inexact one
	all := true
	var best []string
	edges := false
	flush := func() {
		best = better(best, run)
		run = []string{""}
	}
	for _, sub := range subs {
		f := s.facts(sub)
		edges = edges || f.edges
		if f.exact == nil {
			all = false
			flush()
			best = better(best, f.need)
			continue
		}
		product := cross(run, f.exact)
		if product == nil {
			all = false
			flush()
			product = f.exact
		}
		run = product
	}
	if all {
		return facts{exact: run, edges: edges}
	}
	flush()
	return facts{need: best, folded: s.folded, edges: edges}
}

// cross is every text of a followed by every text of b, or nil for too many.
func cross(a, b []string) []string {
	if len(a)*len(b) > maxNeedles {
		return nil
	}
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			if len(x)+len(y) > maxNeedle {
				return nil
			}
			out = append(out, x+y)
		}
	}
	return out
}

func (s student) alternate(subs []*syntax.Regexp) facts {
	var all []string
	exact, edges := true, false
	for _, sub := range subs {
		f := s.facts(sub)
		edges = edges || f.edges
		if f.exact == nil {
			exact = false
			f.exact = f.need
		}
		if f.exact == nil || len(all)+len(f.exact) > maxNeedles {
			return facts{edges: true}
		}
		all = append(all, f.exact...)
	}
	if exact {
		return facts{exact: all, edges: edges}
	}
	return facts{need: all, folded: s.folded, edges: edges}
}

// better is the set that leaves out more lines.
func better(a, b []string) []string {
	if worth(b) > worth(a) {
		return b
	}
	return a
}

// worth grades a set of needles; 0 is for one that would not pay.
func worth(set []string) int {
	least := 0
	for i, s := range set {
		w := 0
		for j := range min(len(s), 8) {
			w += 2 + rarity(s[j])
		}
		if i == 0 || w < least {
			least = w
		}
	}
	return 2*least - len(set)
}

// needles are what to look for, nil when that would not pay.
func (f facts) needles() (out []needle, folded bool) {
	f = f.needed()
	if worth(f.need) < 9 {
		return nil, false
	}
	set := slices.Compact(slices.Sorted(slices.Values(f.need)))
	for _, s := range set {
		out = append(out, newNeedle(s, f.folded))
	}
	return out, f.folded
}

// whole reports whether a line that holds one of the needles matches.
func (f facts) whole() bool {
	return f.exact != nil && !f.edges && !slices.ContainsFunc(f.exact, func(s string) bool { return strings.Contains(s, "\r") })
}
