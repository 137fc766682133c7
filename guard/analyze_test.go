package guard

import (
	"strings"
	"testing"
)

func brief(ws []Write) []string {
	var out []string
	for _, w := range ws {
		s := string(w.Kind) + " " + w.Target
		if !w.Literal {
			s += "!"
		}
		out = append(out, s)
	}
	return out
}

func TestWriting(t *testing.T) {
	if len(writing) < 60 {
		t.Errorf("%d commands that write; want at least 60", len(writing))
	}
	for _, tt := range writing {
		t.Run(tt.name, func(t *testing.T) {
			r := Analyze(tt.command)
			if r.ParseError != "" || r.Truncated {
				t.Errorf("parse error %q, truncated %t", r.ParseError, r.Truncated)
			}
			if got, want := strings.Join(brief(r.Writes), "\n"), strings.Join(tt.want, "\n"); got != want {
				t.Errorf("%s\ngot:\n%s\nwant:\n%s", tt.command, got, want)
			}
			for _, w := range r.Writes {
				if w.Row < 1 || w.Column < 1 {
					t.Errorf("no position: %+v", w)
				}
			}
		})
	}
}

func TestReading(t *testing.T) {
	if len(reading) < 60 {
		t.Errorf("%d commands that only read; want at least 60", len(reading))
	}
	for _, tt := range reading {
		t.Run(tt.name, func(t *testing.T) {
			r := Analyze(tt.command)
			if r.ParseError != "" || r.Truncated || len(r.Writes) != 0 {
				t.Errorf("%s\ngot %q, parse error %q, truncated %t", tt.command, brief(r.Writes), r.ParseError, r.Truncated)
			}
		})
	}
}
