package golden

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// Update is the archive with its expectations made to say what came out in a
// run of it: the text and kind of every result that has an expectation, the
// content of files where the scenario states it, and at the end what it does
// not state. Sections with `has` are left alone, and so is the whole archive
// when the run stopped early. What did come out as stated keeps its spelling,
// byte for byte.
func (s *Scenario) Update(r *Report) []byte {
	results := map[int]Step{}
	states := map[int]state{}
	if !r.broken && r.Skipped == "" {
		for _, st := range r.Steps {
			results[st.section] = st
		}
		for _, st := range r.states {
			states[st.section] = st
		}
	}
	ar := &txtar.Archive{Comment: []byte(s.Comment)}
	for i := range s.sections {
		sec := &s.sections[i]
		f := txtar.File{Name: sec.marker, Data: sec.body}
		if st, ok := states[i]; ok {
			f = restated(sec, st)
		}
		if sec.kind == kindWant || sec.kind == kindRefused {
			if st, ok := results[i-1]; ok && !sec.has {
				f = expectation(sec, st)
			}
		}
		ar.Files = append(ar.Files, f)
		if st, ok := results[i]; ok && st.Result.Refused {
			if i+1 == len(s.sections) || !slices.Contains([]kind{kindWant, kindRefused}, s.sections[i+1].kind) {
				ar.Files = append(ar.Files, expectation(&section{kind: kindRefused}, st))
			}
		}
	}
	if !r.broken {
		for _, st := range r.states {
			if st.section < 0 {
				ar.Files = append(ar.Files, restated(&section{kind: kindNow, path: st.path}, st))
			}
		}
	}
	return txtar.Format(ar)
}

// expectation is the section that says what a step answered.
func expectation(sec *section, st Step) txtar.File {
	head := "want"
	if st.Result.Refused {
		head = "refused " + st.Code()
	}
	f := sec.form
	f.literal = st.literal
	same := bytes.Equal(sec.data, []byte(st.text)) && f == sec.form
	if same && sec.kind == kindWant && !st.Result.Refused {
		return txtar.File{Name: sec.marker, Data: sec.body}
	}
	if same && sec.kind == kindRefused && st.Result.Refused && (sec.code == "" || sec.code == st.Code()) {
		return txtar.File{Name: sec.marker, Data: sec.body}
	}
	if len(sec.data) == 0 && sec.code != "" && sec.code == st.Code() {
		return txtar.File{Name: sec.marker, Data: sec.body} // the code alone is wanted
	}
	body, f := spell([]byte(st.text), f)
	return txtar.File{Name: head + f.String(), Data: body}
}

// restated is the section that says what a file is.
func restated(sec *section, st state) txtar.File {
	e := st.entry
	if !e.there || e.kind == other {
		if sec.kind == kindGone {
			return txtar.File{Name: sec.marker}
		}
		return txtar.File{Name: "gone " + quoteToken(sec.path)}
	}
	mode := sec.mode == 0 || sec.mode == e.mode
	if sec.kind == kindNow && sec.marker != "" && mode && bytes.Equal(sec.data, e.data) {
		return txtar.File{Name: sec.marker, Data: sec.body}
	}
	body, f := spell(e.data, sec.form)
	name := "now " + quoteToken(sec.path)
	if sec.mode != 0 {
		name += " mode=" + modeText(e)
	}
	return txtar.File{Name: strings.TrimRight(name+f.String(), " "), Data: body}
}

func modeText(e entry) string {
	const digits = "01234567"
	m := e.mode.Perm()
	return string([]byte{'0', digits[m>>6&7], digits[m>>3&7], digits[m&7]})
}
