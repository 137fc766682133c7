package dialects

import (
	"strings"

	"putcut/refusal"
)

type anchorSet struct {
	Edits  []anchorEdit `json:"edits"`
	DryRun bool         `json:"dryRun"`
}

type anchorEdit struct {
	Path   string  `json:"path"`
	Anchor *string `json:"anchor"`
	Text   *string `json:"text"`
	Mode   string  `json:"mode"`
	Expect *int    `json:"expectCount"`
}

var anchorKeys = []string{"edits", "dryRun", "path", "anchor", "text", "mode", "expectCount"}

// anchors reads {edits: [{path, anchor, text, mode, expectCount}…], dryRun}.
// An anchor is counted with the occurrences that overlap.
func (l *lowering) anchors(s string) error {
	var set anchorSet
	if err := decodeStrict(s, &set, anchorKeys); err != nil {
		return err
	}
	if len(set.Edits) == 0 {
		return refusal.New(refusal.InvalidArgument, "`edits` is empty or missing").WithNext("Send at least one edit")
	}
	size := 0
	for _, e := range set.Edits {
		if e.Text != nil {
			size += len(*e.Text)
		}
	}
	if err := l.checkJSONLimits(len(set.Edits), size); err != nil {
		return err
	}
	l.dry = l.dry || set.DryRun
	for i, e := range set.Edits {
		if err := l.next(); err != nil {
			return err
		}
		if err := l.anchor("edits["+itoa(i)+"]", e); err != nil {
			r := refusal.As(located(err, e.Path))
			r.Op = i + 1
			return r
		}
	}
	return nil
}

func (l *lowering) anchor(name string, a anchorEdit) error {
	want := 1
	if a.Expect != nil {
		want = *a.Expect
	}
	invalid := func(format string, args ...any) error {
		return refusal.New(refusal.InvalidArgument, name+" "+format, args...).WithNext("Correct the edit and send the batch again")
	}
	switch {
	case a.Path == "":
		return invalid("lacks `path`")
	case a.Anchor == nil || *a.Anchor == "":
		return invalid("lacks `anchor`, or it is empty")
	case a.Text == nil:
		return invalid("lacks `text`")
	case want < 1:
		return invalid("has `expectCount` %d; an anchor that is nowhere places nothing", want)
	case a.Mode != "insertAfter" && a.Mode != "insertBefore" && a.Mode != "replace":
		return invalid("has `mode` %q; it must be insertAfter, insertBefore or replace", a.Mode)
	}
	w, err := l.openOld(a.Path)
	if err != nil {
		return err
	}
	at, total := occurrences(w.old.Body(), *a.Anchor, max(want, most))
	if total == 0 && want == 1 {
		return l.relaxedAnchor(w, name, a)
	}
	if total != want {
		if total == 0 {
			e := w.miss(name, *a.Anchor)
			e.What = "the anchor of " + name + " occurs 0 times, and `expectCount` is " + itoa(want) + ". " + strings.ToUpper(e.What[:1]) + e.What[1:]
			return e
		}
		code := refusal.TextAmbiguous
		if total < want {
			code = refusal.TextNotFound
		}
		listed := at[:min(len(at), most)]
		e := refusal.New(code, "the anchor of %s occurs %s times, and `expectCount` is %d: %s", name, count(total), want, w.listAt(listed, total))
		for _, off := range listed {
			e.Excerpts = append(e.Excerpts, w.excerpt(w.old.LineAt(off), w.old.LineAt(off)))
		}
		e.Excerpts = mergeExcerpts(e.Excerpts)
		return e.WithNext("Give more context, or the right `expectCount`")
	}
	for _, off := range at {
		l.putAnchored(w, name, a.Mode, span{off, off + len(*a.Anchor)}, *a.Text, nil)
	}
	return nil
}

func (l *lowering) relaxedAnchor(w *work, name string, a anchorEdit) error {
	o, err := l.resolveRelaxed(w, name, *a.Anchor, *a.Text)
	if err != nil {
		return err
	}
	l.putAnchored(w, name, a.Mode, o.span, o.new, o.relaxed)
	return nil
}

func (l *lowering) putAnchored(w *work, name, mode string, at span, s string, relaxed []Relaxation) {
	o := outcome{span: at, new: s, relaxed: relaxed}
	r := below
	switch mode {
	case "insertAfter":
		o.span = span{at.hi, at.hi}
	case "insertBefore":
		o.span, r = span{at.lo, at.lo}, above
	}
	l.putChars(w, name, o, at, r)
}
