package guard

import (
	"encoding/json"
	"path"
	"strings"
)

// A Kind says how a file is written.
type Kind string

// The kinds of write. New ones may be added; hosts should treat an unknown kind
// as a write like any other.
const (
	// Redirect is >, >|, &>, >& or <> to a file: the file is replaced.
	Redirect Kind = "redirect"
	// Append is >> or &>> to a file.
	Append Kind = "append"
	// Heredoc is a redirection of a command that is fed a here-document, the
	// usual way to write a whole file from a shell.
	Heredoc Kind = "heredoc"
	// Tee is tee or sponge.
	Tee Kind = "tee"
	// InPlace is an editor that rewrites its operands: sed -i, perl -i, ed.
	InPlace Kind = "in-place"
	// Format is a formatter that rewrites its operands: gofmt -w.
	Format Kind = "format"
	// Interpreter is a program text, in the command, that opens a file for
	// writing: python3 -c, node -e, awk with print > "file".
	Interpreter Kind = "interpreter"
	// Copy is cp, install, rsync, scp and their like.
	Copy Kind = "copy"
	// Move is mv and rename; the target is the new name.
	Move Kind = "move"
	// Link is ln.
	Link Kind = "link"
	// DD is dd of=.
	DD Kind = "dd"
	// Remove is rm, unlink, git rm and shred -u of files that are spelled out.
	Remove Kind = "remove"
	// Truncate is truncate, fallocate and shred.
	Truncate Kind = "truncate"
	// Touch is touch.
	Touch Kind = "touch"
	// Patch is patch, git apply, git am and apply_patch.
	Patch Kind = "patch"
	// Restore is git checkout or git restore with paths.
	Restore Kind = "restore"
	// Output is an option that names an output file: sort -o, curl -o, find -fprint.
	Output Kind = "output"
)

// Names of the tools that are suggested instead.
const (
	toolEdit  = "edit"
	toolWrite = "write"
	toolPatch = "patch"
)

// A Write is one place in a command that writes one file. A place that writes
// several known files is several Writes.
type Write struct {
	Kind Kind `json:"kind"`
	// Target is the file as the command names it. When Literal is false it is
	// the text as far as it is known, with expansions as they were written
	// ("$DIR/x.txt"); it is empty when the command does not name the file.
	Target string `json:"target"`
	// Literal says that Target is the exact name of the file. It is false for
	// patterns, for values that are not known, and for what can only be a
	// directory; a name without a final slash may still turn out to be one.
	Literal bool `json:"literal"`
	// Path is Target seen from the directory the command starts in (or from
	// the working directory in the hook), cleaned, with cd and options like
	// git -C taken into account. It is empty when Target is not literal or the
	// directory is not known. A leading "~" is a home directory.
	Path string `json:"path,omitempty"`
	// Command is the name of the command that writes, without its directory;
	// empty when a redirection stands on a compound command or alone.
	Command string `json:"command"`
	// Via lists the wrappers the command runs under, outermost first.
	Via []string `json:"via,omitempty"`
	// Row and Column are where the write stands in the command, both from 1,
	// columns in bytes. Inside a quoted program they are exact when its text
	// stands in the command as it is, else they are where that text starts.
	Row    int `json:"row"`
	Column int `json:"column"`
	// SuggestedTool is the tool to use instead: "edit", "write" or "patch". It
	// is empty when no tool does this; the file is then best read again.
	SuggestedTool string `json:"suggestedTool,omitempty"`
}

// A Report is what is known about one command.
type Report struct {
	// Writes are in order of position; never nil.
	Writes []Write `json:"writes"`
	// ParseError says what could not be read, with its position; empty when
	// all was. Writes then holds what stands before the error.
	ParseError string `json:"parseError,omitempty"`
	// Truncated says that a bound was reached (size, nesting, work or number
	// of writes), so that there may be more writes than are listed.
	Truncated bool `json:"truncated,omitempty"`
	// Verdict holds the members of the hook in which the host had already
	// decided, by name, their values unchanged; nil when there are none.
	Verdict map[string]json.RawMessage `json:"verdict,omitempty"`
	// Denied says that the host's verdict was a refusal, so that the command
	// does not run and no file counts as changed.
	Denied bool `json:"denied,omitempty"`
}

// Paths returns the distinct known paths of the writes, in order. It is what a
// session marks as changed outside; when a write has no Path the caller cannot
// tell which file it is.
func (r Report) Paths() []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range r.Writes {
		if w.Path != "" && !seen[w.Path] {
			seen[w.Path] = true
			out = append(out, w.Path)
		}
	}
	return out
}

// String lists the writes, a line each, for people.
func (r Report) String() string {
	var b strings.Builder
	for _, w := range r.Writes {
		b.WriteString(string(w.Kind))
		if w.Command != "" {
			b.WriteString(" by " + w.Command)
		}
		switch {
		case w.Target == "":
			b.WriteString(": a file that is not named")
		case !w.Literal:
			b.WriteString(": " + w.Target + " (not literal)")
		default:
			b.WriteString(": " + w.Target)
			if w.Path != "" && w.Path != path.Clean(w.Target) { // a cd stands before it
				b.WriteString(" (" + w.Path + ")")
			}
		}
		if w.SuggestedTool != "" {
			b.WriteString("; use " + w.SuggestedTool)
		}
		b.WriteByte('\n')
	}
	if r.ParseError != "" {
		b.WriteString(r.ParseError + "\n")
	}
	return b.String()
}
