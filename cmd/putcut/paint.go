package main

import (
	"strings"

	"github.com/fatih/color"
)

func ink(attrs ...color.Attribute) *color.Color {
	c := color.New(attrs...)
	c.EnableColor() // whether to colour is decided per stream, before
	return c
}

var (
	headerInk  = ink(color.FgCyan, color.Bold)
	numberInk  = ink(color.Faint)
	goneInk    = ink(color.FgRed)
	addedInk   = ink(color.FgGreen)
	warningInk = ink(color.FgYellow)
	refusedInk = ink(color.FgRed, color.Bold)
	noteInk    = ink(color.FgBlue)
)

// paint colours rows. A row of a file keeps its text plain: only the number
// before it is coloured.
func paint(text string, style func(row string) *color.Color) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/4)
	for text != "" {
		row, rest, found := strings.Cut(text, "\n")
		switch c := style(row); {
		case c == nil || row == "":
			b.WriteString(row)
		case c == numberInk:
			n := strings.IndexByte(row, ':') + 1
			b.WriteString(c.Sprint(row[:n]))
			b.WriteString(row[n:])
		default:
			b.WriteString(c.Sprint(row))
		}
		if found {
			b.WriteByte('\n')
		}
		text = rest
	}
	return b.String()
}

// resultStyle is the colour of a row of a result. Every row of a file starts
// with its number, so what a file holds is never mistaken for anything else.
func resultStyle(row string) *color.Color {
	switch {
	case row == "":
		return nil
	case row[0] >= '0' && row[0] <= '9' && strings.Contains(row, ":"):
		return numberInk
	case row[0] == '-':
		return goneInk
	case row[0] == '[' && strings.HasSuffix(row, "]"):
		return headerInk
	case strings.HasPrefix(row, "warning "), strings.HasPrefix(row, "syntax error"), strings.HasPrefix(row, "declarations removed"):
		return warningInk
	case row[0] == '(', strings.HasPrefix(row, "call "), strings.HasPrefix(row, "dry run"):
		return noteInk
	}
	return nil
}

func refusalStyle(row string) *color.Color {
	switch {
	case strings.Contains(row, ": rejected, nothing was written"):
		return refusedInk
	case strings.HasPrefix(row, "next: "), strings.HasPrefix(row, adviceRow):
		return noteInk
	}
	return resultStyle(row)
}

func diffStyle(row string) *color.Color {
	switch {
	case strings.HasPrefix(row, "+++ "), strings.HasPrefix(row, "--- "), strings.HasPrefix(row, "diff "):
		return headerInk
	case strings.HasPrefix(row, "@@"):
		return noteInk
	case strings.HasPrefix(row, "+"):
		return addedInk
	case strings.HasPrefix(row, "-"):
		return goneInk
	}
	return nil
}
