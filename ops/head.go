package ops

import (
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// String is the place as a script spells it.
func (p Place) String() string {
	switch p.Kind {
	case Span:
		return itoa(p.First) + ".=" + itoa(p.Last)
	case Block:
		return itoa(p.First) + "*"
	case Before:
		return "<" + itoa(p.First)
	case After:
		return ">" + itoa(p.First)
	case Tail:
		return ">$"
	case AfterBlock:
		return ">" + itoa(p.First) + "*"
	}
	return ""
}

// Head is the op's own row in canonical spelling, without its body.
func (o Op) Head() string {
	var b strings.Builder
	b.WriteString(o.Verb.String())
	switch o.Verb {
	case Rem:
		return b.String()
	case Mv:
		b.WriteByte(' ')
		b.WriteString(Quote(o.Dest))
		return b.String()
	}
	b.WriteByte(' ')
	b.WriteString(o.Place.String())
	if o.Verb == Put && !o.Paste {
		b.WriteByte(':')
	}
	if o.Register != "" {
		b.WriteString(" @")
		b.WriteString(o.Register)
	}
	return b.String()
}

// Quote is a destination as a script spells it: bare, or in double quotes when
// a bare one would read as something else.
func Quote(dest string) string {
	if dest != "" && dest[0] != '"' && strings.Trim(dest, " \t\r") == dest {
		return dest
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(dest) + `"`
}
