import { EXACT, PREFIX, TYPO, TYPO_IN_PREFIX } from './closeness.ts';
import { grown } from './growable.ts';
import { MAX_WORD_LENGTH, type Tolerance } from './query.ts';
import {
  CHILD,
  CODE,
  COLLECTED,
  childOf,
  FOUND,
  NODE_LENGTH,
  PARENT,
  ROOT,
  SIBLING,
  WORD,
  type WordTrie,
} from './word-trie.ts';

/** Words that a term matches, each once: `word << WORD_SHIFT | quality`. */
export type WordMatches = { entries: Int32Array; count: number };
export const WORD_SHIFT = 2;
export const QUALITY_MASK = 3;

// Low enough that tests reach the reset, which visits every node.
const MAX_STAMP = 1 << 16;

/**
 * Finds the words of a trie that a term matches with at most one error. No edit distance is computed: the term is walked
 * from the root; at each letter every possible single error is tried, and the rest must match exactly. At the node where
 * the term ends, the word that ends there is a whole match, and all words below it are prefix matches.
 *
 * Marks in the nodes carry the number of the match that set them, so they need no clearing.
 */
export class TermMatcher {
  readonly #trie: WordTrie;
  readonly #codes = new Uint16Array(MAX_WORD_LENGTH);
  #length = 0;
  #typoInPrefix = false;
  #stamp = 0;
  #found = new Int32Array(64);
  #foundCount = 0;

  constructor(trie: WordTrie) {
    this.#trie = trie;
  }

  match(text: string, tolerance: Tolerance, into: WordMatches): void {
    this.#begin(text);
    const exactNode = this.#follow(ROOT, 0);
    if (exactNode !== 0) {
      this.#find(exactNode, EXACT);
      if (tolerance !== 'exact') this.#collect(exactNode, PREFIX);
    }
    if (tolerance === 'typo' || tolerance === 'typo-in-prefix') {
      this.#typoInPrefix = tolerance === 'typo-in-prefix';
      this.#matchWithOneTypo();
    }
    this.#addFoundTo(into);
  }

  #begin(text: string): void {
    for (let i = 0; i < text.length; i++) this.#codes[i] = text.charCodeAt(i);
    this.#length = text.length;
    this.#foundCount = 0;
    this.#stamp++;
    if (this.#stamp === MAX_STAMP) {
      this.#stamp = 1;
      const { nodes, nodesEnd } = this.#trie;
      for (let node = ROOT; node < nodesEnd; node += NODE_LENGTH) {
        nodes[node + COLLECTED] = 0;
        nodes[node + FOUND] = 0;
      }
    }
  }

  #matchWithOneTypo(): void {
    const { nodes } = this.#trie;
    let node = ROOT;
    for (let i = 0; i < this.#length && node !== 0; i++) {
      const code = this.#codes[i]!;
      this.#reach(this.#follow(node, i + 1)); // the term has a letter too many
      if (i + 1 < this.#length) {
        const swapped = childOf(nodes, node, this.#codes[i + 1]!);
        const both = swapped === 0 ? 0 : childOf(nodes, swapped, code);
        if (both !== 0) this.#reach(this.#follow(both, i + 2));
      }
      for (let child = nodes[node + CHILD]!; child !== 0; child = nodes[child + SIBLING]!) {
        if (nodes[child + CODE] === code) continue;
        this.#reach(this.#follow(child, i + 1)); // a wrong letter
        this.#reach(this.#follow(child, i)); // a letter missing from the term
      }
      node = childOf(nodes, node, code);
    }
  }

  /** The node reached from `from` by the term's letters, beginning with `firstLetter`; 0 if there is none. */
  #follow(from: number, firstLetter: number): number {
    const nodes = this.#trie.nodes;
    const codes = this.#codes;
    const length = this.#length;
    let node = from;
    for (let i = firstLetter; i < length && node !== 0; i++) node = childOf(nodes, node, codes[i]!);
    return node;
  }

  #reach(node: number): void {
    if (node === 0) return;
    this.#find(node, TYPO);
    if (this.#typoInPrefix) this.#collect(node, TYPO_IN_PREFIX);
  }

  /** Adds the word that ends at a node, if any; the best of several qualities wins. */
  #find(node: number, quality: number): void {
    const nodes = this.#trie.nodes;
    if (nodes[node + WORD] === 0) return;
    const base = this.#stamp << WORD_SHIFT;
    const mark = base | (TYPO_IN_PREFIX - quality);
    const before = nodes[node + FOUND]!;
    if (before >= mark) return;
    nodes[node + FOUND] = mark;
    if (before >= base) return;
    if (this.#foundCount === this.#found.length) this.#found = grown(this.#found, this.#foundCount + 1);
    this.#found[this.#foundCount++] = node;
  }

  /** Adds all words at and below a node. Nodes this match has collected before had the same quality or a better one. */
  #collect(top: number, quality: number): void {
    const nodes = this.#trie.nodes;
    const stamp = this.#stamp;
    let node = top;
    for (;;) {
      let next = 0;
      if (nodes[node + COLLECTED] !== stamp) {
        nodes[node + COLLECTED] = stamp;
        this.#find(node, quality);
        next = nodes[node + CHILD]!;
      }
      while (next === 0) {
        if (node === top) return;
        next = nodes[node + SIBLING]!;
        if (next === 0) node = nodes[node + PARENT]!;
      }
      node = next;
    }
  }

  #addFoundTo(into: WordMatches): void {
    const nodes = this.#trie.nodes;
    into.entries = grown(into.entries, into.count + this.#foundCount);
    for (let i = 0; i < this.#foundCount; i++) {
      const node = this.#found[i]!;
      const quality = TYPO_IN_PREFIX - (nodes[node + FOUND]! & QUALITY_MASK);
      into.entries[into.count++] = (nodes[node + WORD]! << WORD_SHIFT) | quality;
    }
  }
}
