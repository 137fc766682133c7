package golden

import (
	"bytes"
	"fmt"
	"io/fs"

	"golang.org/x/tools/txtar"
)

// Bounds of one archive, so that a hostile one costs little.
const (
	maxArchive  = 16 << 20 // bytes of the archive
	maxSections = 4096
	maxExpanded = 64 << 20 // bytes of all bodies once they are spelled out
	maxPath     = 1024     // bytes of a path
)

// A Scenario is a parsed archive. It is not changed by running it and may run
// several times, also at once.
type Scenario struct {
	// Name is the name used in reports; Parse leaves it empty, RunFile sets it.
	Name string
	// Comment is the prose before the first section.
	Comment string
	// Options are the rows of the options section, for the front end.
	Options map[string]string

	sections []section
}

// Steps is the number of tool calls in the scenario.
func (s *Scenario) Steps() int {
	n := 0
	for i := range s.sections {
		if s.sections[i].kind == kindStep {
			n++
		}
	}
	return n
}

// kind says what a section is.
type kind uint8

const (
	kindFile kind = iota + 1
	kindLink
	kindHardLink
	kindDir
	kindOptions
	kindOutside
	kindStep
	kindWant
	kindRefused
	kindNow
	kindGone
)

// A section is one member of the archive.
type section struct {
	line   int    // row of its marker, from 1
	marker string // between the dashes, as written
	body   []byte // as written
	data   []byte // as spelled out; placeholders stand
	kind   kind
	form   form

	path   string      // file, link, hardlink, dir, outside, now, gone
	target string      // link, hardlink
	mode   fs.FileMode // 0 when none is given
	remove bool        // outside

	tool    string         // step
	args    map[string]any // step; placeholders stand
	session string         // step

	code string // refused; empty takes any
	has  bool   // want, refused: rows that the text must contain, in order
}

// A SyntaxError says what is wrong with an archive, and where.
type SyntaxError struct {
	Name string // of the archive, if it has one
	Line int    // from 1
	What string
}

func (e *SyntaxError) Error() string {
	name := e.Name
	if name == "" {
		name = "archive"
	}
	return fmt.Sprintf("%s:%d: %s", name, e.Line, e.What)
}

// Parse reads an archive. The scenario shares data, which the caller must not
// change. Errors are *SyntaxError.
func Parse(data []byte) (*Scenario, error) {
	if len(data) > maxArchive {
		return nil, &SyntaxError{Line: 1, What: fmt.Sprintf("the archive has %d bytes, and %d is the limit", len(data), maxArchive)}
	}
	ar := txtar.Parse(data)
	if len(ar.Files) > maxSections {
		return nil, &SyntaxError{Line: 1, What: fmt.Sprintf("the archive has %d sections, and %d is the limit", len(ar.Files), maxSections)}
	}
	s := &Scenario{Comment: string(ar.Comment)}
	// txtar tells no positions; a section is its marker and its body, so they add up.
	line := 1 + bytes.Count(ar.Comment, []byte{'\n'})
	room := maxExpanded
	for _, f := range ar.Files {
		sec := section{line: line, marker: f.Name, body: f.Data}
		line += 1 + bytes.Count(f.Data, []byte{'\n'})
		if err := sec.parse(room); err != nil {
			return nil, &SyntaxError{Line: sec.line, What: err.Error()}
		}
		room -= len(sec.data)
		if sec.kind == kindOptions {
			if s.Options != nil {
				return nil, &SyntaxError{Line: sec.line, What: "there are options already"}
			}
			opts, at, err := parseOptions(sec.data)
			if err != nil {
				return nil, &SyntaxError{Line: sec.line + at, What: err.Error()}
			}
			s.Options = opts
		}
		s.sections = append(s.sections, sec)
	}
	return s, s.checkOrder()
}

// checkOrder checks what no section can tell of itself.
func (s *Scenario) checkOrder() error {
	names := map[string]bool{}
	started := false
	steps := 0
	for i := range s.sections {
		sec := &s.sections[i]
		bad := func(format string, args ...any) error {
			return &SyntaxError{Line: sec.line, What: fmt.Sprintf(format, args...)}
		}
		switch sec.kind {
		case kindFile, kindLink, kindHardLink, kindDir, kindOptions:
			if started {
				return bad("`%s` comes before the first step; use `outside` for what changes later", word(sec.marker))
			}
			if sec.kind == kindOptions {
				continue
			}
			if names[sec.path] {
				return bad("there is a section for %s already", sec.path)
			}
			names[sec.path] = true
		case kindWant, kindRefused:
			if i == 0 || s.sections[i-1].kind != kindStep {
				return bad("`%s` stands directly after the step it is about", word(sec.marker))
			}
		default:
			started = true
		}
		if sec.kind == kindStep {
			steps++
		}
	}
	if steps == 0 {
		return &SyntaxError{Line: 1, What: "the archive holds no step, so it shows nothing"}
	}
	return nil
}
