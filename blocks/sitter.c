#include "sitter.h"

TSTree *putcut_parse(const void *lang, const TSTree *old, const char *text, uint32_t len, uint64_t micros, const size_t *cancel) {
	TSParser *p = ts_parser_new();
	TSTree *tree = NULL;
	if (ts_parser_set_language(p, (const TSLanguage *)lang)) {
		ts_parser_set_timeout_micros(p, micros);
		ts_parser_set_cancellation_flag(p, cancel);
		tree = ts_parser_parse_string(p, old, text, len);
	}
	ts_parser_delete(p);
	return tree;
}

void putcut_edit(TSTree *tree, uint32_t start, uint32_t old_end, uint32_t new_end, uint32_t sr, uint32_t sc, uint32_t or, uint32_t oc, uint32_t nr, uint32_t nc) {
	TSInputEdit e = {start, old_end, new_end, {sr, sc}, {or, oc}, {nr, nc}};
	ts_tree_edit(tree, &e);
}

flat_tree putcut_flatten(const TSTree *tree, const uint8_t *deep, uint32_t kinds, uint32_t max) {
	flat_tree out = {NULL, 0};
	uint32_t cap = 1024;
	flat_node *a = malloc(cap * sizeof *a);
	if (!a) return out;
	TSTreeCursor cur = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t n = 0;
	int32_t parent = -1;
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(&cur);
		if (n == cap) {
			cap *= 2;
			flat_node *b = cap > max * 2ull ? NULL : realloc(a, cap * sizeof *a);
			if (!b) {
				free(a);
				ts_tree_cursor_delete(&cur);
				return out;
			}
			a = b;
		}
		TSPoint from = ts_node_start_point(node), to = ts_node_end_point(node);
		flat_node *f = &a[n];
		f->start = ts_node_start_byte(node);
		f->end = ts_node_end_byte(node);
		f->row = from.row;
		f->last = to.row;
		f->parent = parent;
		f->kind = ts_node_symbol(node);
		f->field = ts_tree_cursor_current_field_id(&cur);
		bool broken = ts_node_has_error(node);
		f->flags = (ts_node_is_named(node) ? FLAT_NAMED : 0) | (ts_node_is_error(node) ? FLAT_ERROR : 0) |
			(ts_node_is_missing(node) ? FLAT_MISSING : 0) | (broken ? FLAT_BROKEN : 0) | (ts_node_is_extra(node) ? FLAT_EXTRA : 0);
		f->unused = 0;
		f->next = (int32_t)n + 1;
		bool descend = from.row != to.row || broken || n == 0 || (f->kind < kinds && deep[f->kind]);
		if (descend && ts_tree_cursor_goto_first_child(&cur)) {
			parent = (int32_t)n++;
			continue;
		}
		n++;
		while (!ts_tree_cursor_goto_next_sibling(&cur)) {
			if (!ts_tree_cursor_goto_parent(&cur)) {
				ts_tree_cursor_delete(&cur);
				out.nodes = a;
				out.len = n;
				return out;
			}
			a[parent].next = (int32_t)n;
			parent = a[parent].parent;
		}
	}
}
