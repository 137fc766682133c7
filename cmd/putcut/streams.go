package main

import (
	"encoding/json"
	"io"
	"os"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
)

// Streams are what a command reads and writes.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer

	// Interactive says that a person types the input.
	Interactive bool
	// ColorOut and ColorErr say whether the outputs take colour.
	ColorOut, ColorErr bool
}

// SystemStreams are the streams of the process. An output takes colour when it
// is a terminal and the environment does not forbid it.
func SystemStreams() *Streams {
	plain := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	return &Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Interactive: isTerminal(os.Stdin),
		ColorOut:    !plain && isTerminal(os.Stdout),
		ColorErr:    !plain && isTerminal(os.Stderr),
	}
}

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}

// PrintText prints the text of a result.
func (s *Streams) PrintText(text string) error {
	return s.emit(s.Out, text, s.ColorOut, resultStyle)
}

// PrintDiff prints a unified diff.
func (s *Streams) PrintDiff(diff string) error {
	return s.emit(s.Out, diff, s.ColorOut, diffStyle)
}

// PrintJSON prints v as one row of JSON.
func (s *Streams) PrintJSON(v any) error {
	enc := json.NewEncoder(s.Out)
	enc.SetEscapeHTML(false)
	return outputError(enc.Encode(v))
}

// Print prints text as it is.
func (s *Streams) Print(text string) error { return s.emit(s.Out, text, false, nil) }

// Note prints remarks on the error stream.
func (s *Streams) Note(text string) { s.emit(s.Err, text, s.ColorErr, refusalStyle) }

func (s *Streams) emit(w io.Writer, text string, colour bool, style func(row string) *color.Color) error {
	if colour {
		text = paint(text, style)
	}
	_, err := io.WriteString(w, text)
	return outputError(err)
}
