// The part of the tree-sitter C interface that this package calls directly:
// reading a whole tree node by node through the Go bindings costs three calls
// into C a node, which is more than the parse. The functions are those of the
// runtime that the bindings link in; they are declared weak because the object
// of this package is also linked once alone, when cgo probes it.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t start_byte, old_end_byte, new_end_byte; TSPoint start_point, old_end_point, new_end_point; } TSInputEdit;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

#define RUNTIME __attribute__((weak)) extern
RUNTIME TSParser *ts_parser_new(void);
RUNTIME void ts_parser_delete(TSParser *);
RUNTIME bool ts_parser_set_language(TSParser *, const TSLanguage *);
RUNTIME TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
RUNTIME void ts_parser_set_timeout_micros(TSParser *, uint64_t);
RUNTIME void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
RUNTIME TSTree *ts_tree_copy(const TSTree *);
RUNTIME void ts_tree_delete(TSTree *);
RUNTIME TSNode ts_tree_root_node(const TSTree *);
RUNTIME void ts_tree_edit(TSTree *, const TSInputEdit *);
RUNTIME uint32_t ts_node_end_byte(TSNode);
RUNTIME TSPoint ts_node_end_point(TSNode);
RUNTIME uint16_t ts_node_symbol(TSNode);
RUNTIME bool ts_node_is_missing(TSNode);
RUNTIME bool ts_node_is_error(TSNode);
RUNTIME bool ts_node_has_error(TSNode);
RUNTIME TSTreeCursor ts_tree_cursor_new(TSNode);
RUNTIME void ts_tree_cursor_delete(TSTreeCursor *);
RUNTIME TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
RUNTIME uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
RUNTIME bool ts_tree_cursor_goto_parent(TSTreeCursor *);
RUNTIME bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
RUNTIME bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
RUNTIME uint32_t ts_language_version(const TSLanguage *);
RUNTIME uint32_t ts_language_symbol_count(const TSLanguage *);
RUNTIME int ts_language_symbol_type(const TSLanguage *, uint16_t);
RUNTIME const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
RUNTIME uint32_t ts_language_field_count(const TSLanguage *);
RUNTIME const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

// The name of a kind or a field, "" when it has none; named is of kinds.
typedef struct {
	const char *text;
	uint32_t len;
	bool named;
} name;

// The names of the kinds of a grammar, and after them those of its fields.
void putcut_names(const TSLanguage *lang, name *to, uint32_t kinds, uint32_t fields);

// A node as the Go side reads it; the layout is that of the Go type node.
typedef struct {
	uint32_t start, end; // bytes
	uint32_t row, last;  // rows from 0; last is the row of the byte end
	int32_t parent;      // index, -1 for the root
	int32_t next;        // index just past the subtree
	uint16_t kind, field;
	uint16_t flags;
	uint16_t unused;
} flat_node;

enum { FLAT_NAMED = 1, FLAT_ERROR = 2, FLAT_MISSING = 4, FLAT_BROKEN = 8 };

// What is known about a kind.
enum { KIND_NAMED = 1, KIND_DEEP = 2, KIND_KEEP = 4, KIND_SKIP = 8 };

// A parse by a parser of its own; 0 when it was cut short or the language is refused.
TSTree *putcut_parse(const void *lang, const TSTree *old, const char *text, uint32_t len, uint64_t micros, const size_t *cancel);

// The nodes of a tree in preorder, but nothing below a node of one row, unless
// it holds an error or its kind is deep, and no anonymous node of one row,
// unless it is the first on its row, its kind is to be kept, or its parent's
// kind is deep. about has kinds bytes of KIND flags; all keeps everything. The
// result is how many nodes there are, and cap + 1 when they do not fit. ids[i]
// identifies the subtree of node i as long as its tree lives.
//
// old, if not 0, is what this function made of the tree from which this one was
// made by an edit, and whose tree still lives: what lies below a node that both
// trees share is copied from there.
typedef struct {
	const flat_node *nodes;
	const uint64_t *ids;
	uint32_t len;
	uint32_t start, old_end, new_end;        // the edit, in bytes
	uint32_t row, old_row, new_row;          // the rows of those
} flat_old;
uint32_t putcut_flatten(const TSTree *tree, const uint8_t *about, uint32_t kinds, bool all, const char *text, const flat_old *old, flat_node *a, uint64_t *ids, uint32_t cap);

void putcut_edit(TSTree *tree, uint32_t start, uint32_t old_end, uint32_t new_end, uint32_t sr, uint32_t sc, uint32_t or, uint32_t oc, uint32_t nr, uint32_t nc);
