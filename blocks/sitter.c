#include "sitter.h"

#include <string.h>

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

void putcut_names(const TSLanguage *lang, name *to, uint32_t kinds, uint32_t fields) {
	for (uint32_t i = 0; i < kinds + fields; i++) {
		const char *s = i < kinds ? ts_language_symbol_name(lang, (uint16_t)i) : i == kinds ? NULL : ts_language_field_name_for_id(lang, (uint16_t)(i - kinds));
		to[i].text = s ? s : "";
		to[i].len = (uint32_t)strlen(to[i].text);
		to[i].named = i < kinds && ts_language_symbol_type(lang, (uint16_t)i) == 0;
	}
}

void putcut_edit(TSTree *tree, uint32_t start, uint32_t old_end, uint32_t new_end, uint32_t sr, uint32_t sc, uint32_t or, uint32_t oc, uint32_t nr, uint32_t nc) {
	TSInputEdit e = {start, old_end, new_end, {sr, sc}, {or, oc}, {nr, nc}};
	ts_tree_edit(tree, &e);
}

static bool first_on_row(const char *text, uint32_t at) {
	while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
	return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r' || text[at - 1] == '\f' || text[at - 1] == '\v';
}

// The subtree that a node stands for. The runtime's node points at the word
// that holds it, and trees share subtrees.
static uint64_t identity(TSNode node) { return *(const uint64_t *)node.id; }

// The index in old of the node that a node of the new tree shares with it, -1
// when there is none. Only nodes on rows that the edit does not touch qualify,
// since the rows around a node decide which tokens are kept.
static int64_t shared(const flat_old *o, uint64_t id, uint32_t start, uint32_t row, uint32_t last) {
	if (last >= o->row && row <= o->new_row) return -1;
	if (row > o->new_row) start = start - o->new_end + o->old_end;
	uint32_t lo = 0, hi = o->len; // preorder is in the order of starts
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (o->nodes[mid].start < start) lo = mid + 1;
		else hi = mid;
	}
	for (; lo < o->len && o->nodes[lo].start == start; lo++)
		if (o->ids[lo] == id) return lo;
	return -1;
}

uint32_t putcut_flatten(const TSTree *tree, const uint8_t *about, uint32_t kinds, bool all, const char *text, const flat_old *old, flat_node *a, uint64_t *ids, uint32_t cap) {
	TSTreeCursor cur = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t n = 0;
	int32_t parent = -1;
	bool in_deep = false;      // the parent's kind is deep
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(&cur);
		if (n == cap) {
			ts_tree_cursor_delete(&cur);
			return cap + 1;
		}
		uint16_t kind = ts_node_symbol(node);
		uint8_t k = kind < kinds ? about[kind] : KIND_NAMED | KIND_KEEP;
		if ((k & KIND_SKIP) && !all) goto next;
		// What ts_node_start_point returns, without a call for every node.
		TSPoint from = {node.context[1], node.context[2]}, to = ts_node_end_point(node);
		bool broken = ts_node_has_error(node);
		bool descend = from.row != to.row || broken || n == 0 || all || (k & KIND_DEEP);
		bool keep = descend || in_deep || (k & (KIND_NAMED | KIND_KEEP)) || first_on_row(text, node.context[0]);
		if (keep) {
			flat_node *f = &a[n];
			f->start = node.context[0];
			f->end = ts_node_end_byte(node);
			f->row = from.row;
			f->last = to.row;
			f->parent = parent;
			f->kind = kind;
			f->field = in_deep || all ? ts_tree_cursor_current_field_id(&cur) : 0;
			f->flags = (k & KIND_NAMED ? FLAT_NAMED : 0) | (broken ? FLAT_BROKEN : 0);
			if (broken) f->flags |= (ts_node_is_error(node) ? FLAT_ERROR : 0) | (ts_node_is_missing(node) ? FLAT_MISSING : 0);
			f->unused = 0;
			f->next = (int32_t)n + 1;
			ids[n] = identity(node);
			int64_t twin = old && descend && !broken && n > 0 && from.row != to.row ? shared(old, ids[n], f->start, f->row, f->last) : -1;
			if (twin >= 0) {
				uint32_t count = (uint32_t)old->nodes[twin].next - (uint32_t)twin - 1;
				if (count > cap - n - 1) {
					ts_tree_cursor_delete(&cur);
					return cap + 1;
				}
				uint32_t bytes = f->start - old->nodes[twin].start, rows = f->row - old->nodes[twin].row;
				int32_t shift = (int32_t)n - (int32_t)twin;
				const flat_node *src = &old->nodes[twin + 1];
				for (uint32_t i = 0; i < count; i++) {
					flat_node *d = &a[n + 1 + i];
					*d = src[i];
					d->start += bytes;
					d->end += bytes;
					d->row += rows;
					d->last += rows;
					d->parent += shift;
					d->next += shift;
				}
				memcpy(&ids[n + 1], &old->ids[twin + 1], count * sizeof *ids);
				n += count;
				f->next = (int32_t)n + 1;
				descend = false;
			}
			if (descend && ts_tree_cursor_goto_first_child(&cur)) {
				parent = (int32_t)n++;
				in_deep = k & KIND_DEEP;
				continue;
			}
			n++;
		}
	next:
		while (!ts_tree_cursor_goto_next_sibling(&cur)) {
			if (!ts_tree_cursor_goto_parent(&cur)) {
				ts_tree_cursor_delete(&cur);
				return n;
			}
			a[parent].next = (int32_t)n;
			parent = a[parent].parent;
			in_deep = parent >= 0 && a[parent].kind < kinds && (about[a[parent].kind] & KIND_DEEP);
		}
	}
}
