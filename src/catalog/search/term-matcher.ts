import { ensureLength } from './int-sets.ts';
import { MAX_WORD_LENGTH, type Tolerance } from './query.ts';
import { EXACT, PREFIX, TYPO, TYPO_IN_PREFIX } from './scoring.ts';
import {
  CHILD,
  CODE,
  COLLECTED_STAMP,
  FOUND_MARK,
  findChild,
  NODE_LENGTH,
  PARENT,
  ROOT,
  SIBLING,
  WORD,
  type WordTrie,
} from './word-trie.ts';

/** The words that a term matches, each once, encoded as `wordNumber << QUALITY_BITS | quality`. */
export type WordMatches = { entries: Int32Array; count: number };
export const QUALITY_BITS = 2;
export const QUALITY_MASK = (1 << QUALITY_BITS) - 1;

// Small enough that tests reach the reset, which visits every node.
const MAX_STAMP = 1 << 16;

/**
 * Finds the words of a trie that a term matches with at most one typo. It computes no edit distance: it walks the trie along
 * the term, tries every possible single typo at each letter, and then requires the remaining letters to match exactly. At the node where
 * the term ends, the word that ends there is a whole match, and all words below the node are prefix matches.
 *
 * Marks in the nodes contain the stamp of the match that set them, so they need not be cleared between matches.
 */
export class TermMatcher {
  readonly #trie: WordTrie;
  readonly #codes = new Uint16Array(MAX_WORD_LENGTH);
  #length = 0;
  #allowsTypoInPrefix = false;
  #stamp = 0;
  #foundNodes = new Int32Array(64);
  #foundCount = 0;

  constructor(trie: WordTrie) {
    this.#trie = trie;
  }

  /** Appends the matching words to `output`. */
  match(text: string, tolerance: Tolerance, output: WordMatches): void {
    this.#reset(text);
    const exactNode = this.#follow(ROOT, 0);
    if (exactNode !== 0) {
      this.#addWordAt(exactNode, EXACT);
      if (tolerance !== 'exact') this.#addWordsBelow(exactNode, PREFIX);
    }
    if (tolerance === 'typo' || tolerance === 'typo-in-prefix') {
      this.#allowsTypoInPrefix = tolerance === 'typo-in-prefix';
      this.#matchWithOneTypo();
    }
    this.#appendFoundWords(output);
  }

  #reset(text: string): void {
    for (let i = 0; i < text.length; i++) this.#codes[i] = text.charCodeAt(i);
    this.#length = text.length;
    this.#foundCount = 0;
    this.#stamp++;
    if (this.#stamp === MAX_STAMP) {
      this.#stamp = 1;
      const { nodes, nodesEnd } = this.#trie;
      for (let node = ROOT; node < nodesEnd; node += NODE_LENGTH) {
        nodes[node + COLLECTED_STAMP] = 0;
        nodes[node + FOUND_MARK] = 0;
      }
    }
  }

  #matchWithOneTypo(): void {
    const { nodes } = this.#trie;
    let node = ROOT;
    for (let i = 0; i < this.#length && node !== 0; i++) {
      const code = this.#codes[i]!;
      this.#addWordsWithTypo(this.#follow(node, i + 1)); // the term has an extra letter
      if (i + 1 < this.#length) {
        const firstSwapped = findChild(nodes, node, this.#codes[i + 1]!);
        const bothSwapped = firstSwapped === 0 ? 0 : findChild(nodes, firstSwapped, code);
        if (bothSwapped !== 0) this.#addWordsWithTypo(this.#follow(bothSwapped, i + 2));
      }
      for (let child = nodes[node + CHILD]!; child !== 0; child = nodes[child + SIBLING]!) {
        if (nodes[child + CODE] === code) continue;
        this.#addWordsWithTypo(this.#follow(child, i + 1)); // a wrong letter
        this.#addWordsWithTypo(this.#follow(child, i)); // the term lacks a letter
      }
      node = findChild(nodes, node, code);
    }
  }

  /** Returns the node reached from `start` by the term's letters from `firstLetter` on; 0 if there is none. */
  #follow(start: number, firstLetter: number): number {
    const nodes = this.#trie.nodes;
    const codes = this.#codes;
    const length = this.#length;
    let node = start;
    for (let i = firstLetter; i < length && node !== 0; i++) node = findChild(nodes, node, codes[i]!);
    return node;
  }

  #addWordsWithTypo(node: number): void {
    if (node === 0) return;
    this.#addWordAt(node, TYPO);
    if (this.#allowsTypoInPrefix) this.#addWordsBelow(node, TYPO_IN_PREFIX);
  }

  /** Adds the word that ends at the node, if any. The best quality wins: its mark is the largest of this match. */
  #addWordAt(node: number, quality: number): void {
    const nodes = this.#trie.nodes;
    if (nodes[node + WORD] === 0) return;
    const lowestMark = this.#stamp << QUALITY_BITS;
    const mark = lowestMark | (TYPO_IN_PREFIX - quality);
    const previousMark = nodes[node + FOUND_MARK]!;
    if (previousMark >= mark) return;
    nodes[node + FOUND_MARK] = mark;
    if (previousMark >= lowestMark) return;
    if (this.#foundCount === this.#foundNodes.length)
      this.#foundNodes = ensureLength(this.#foundNodes, this.#foundCount + 1);
    this.#foundNodes[this.#foundCount++] = node;
  }

  /** Adds all words at and below the node. Skips nodes that this match has already collected: their quality was at least as good. */
  #addWordsBelow(top: number, quality: number): void {
    const nodes = this.#trie.nodes;
    const stamp = this.#stamp;
    let node = top;
    for (;;) {
      let next = 0;
      if (nodes[node + COLLECTED_STAMP] !== stamp) {
        nodes[node + COLLECTED_STAMP] = stamp;
        this.#addWordAt(node, quality);
        next = nodes[node + CHILD]!;
      }
      // Without a child, continues with the next sibling of the node or of its nearest ancestor that has one.
      while (next === 0) {
        if (node === top) return;
        next = nodes[node + SIBLING]!;
        if (next === 0) node = nodes[node + PARENT]!;
      }
      node = next;
    }
  }

  #appendFoundWords(output: WordMatches): void {
    const nodes = this.#trie.nodes;
    output.entries = ensureLength(output.entries, output.count + this.#foundCount);
    for (let i = 0; i < this.#foundCount; i++) {
      const node = this.#foundNodes[i]!;
      const quality = TYPO_IN_PREFIX - (nodes[node + FOUND_MARK]! & QUALITY_MASK);
      output.entries[output.count++] = (nodes[node + WORD]! << QUALITY_BITS) | quality;
    }
  }
}
