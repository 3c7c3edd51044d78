import { ensureLength } from './int-sets.ts';

// A node is eight consecutive integers, half a cache line, identified by the index of the first. 0 means no node.
export const NODE_LENGTH = 8;
export const CODE = 0; // the letter that leads to this node, a UTF-16 code unit
export const CHILD = 1; // first child
export const SIBLING = 2; // next child of the same parent
export const PARENT = 3;
export const WORD = 4; // the number of the word that ends here; 0 means no word
const LETTERS = 5; // a bit set of the children's letters, which finds most dead ends without walking the children
export const COLLECTED_STAMP = 6; // scratch field of TermMatcher
export const FOUND_MARK = 7; // scratch field of TermMatcher
export const ROOT = NODE_LENGTH;

const CODE_A = 97;
const OTHER_LETTER_BIT = 1 << 26;

function toLetterBit(code: number): number {
  return code >= CODE_A && code < CODE_A + 26 ? 1 << (code - CODE_A) : OTHER_LETTER_BIT;
}

export function findChild(nodes: Int32Array, node: number, code: number): number {
  if ((nodes[node + LETTERS]! & toLetterBit(code)) === 0) return 0;
  let child = nodes[node + CHILD]!;
  while (child !== 0 && nodes[child + CODE] !== code) child = nodes[child + SIBLING]!;
  return child;
}

/** Numbers words from 1. The number of a removed word is reused. */
export class WordNumbers {
  /** Greater than any number in use. */
  end = 1;
  readonly #free: number[] = [];

  get usedCount(): number {
    return this.end - 1 - this.#free.length;
  }

  take(): number {
    return this.#free.pop() ?? this.end++;
  }

  release(number: number): void {
    this.#free.push(number);
  }
}

export class WordTrie {
  nodes = new Int32Array(1024);
  nodesEnd = ROOT + NODE_LENGTH;
  readonly #numbers: WordNumbers;
  #nodeOfWord = new Int32Array(64);
  /** The first node of the list of free nodes, which are linked by SIBLING. */
  #freeNode = 0;

  constructor(numbers: WordNumbers) {
    this.#numbers = numbers;
  }

  /** Returns the existing number of the word, or a new one. */
  add(text: string): number {
    let node = ROOT;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      node = findChild(this.nodes, node, code) || this.#addChild(node, code);
    }
    const existingNumber = this.nodes[node + WORD]!;
    if (existingNumber !== 0) return existingNumber;
    const number = this.#numbers.take();
    this.#nodeOfWord = ensureLength(this.#nodeOfWord, number + 1);
    this.#nodeOfWord[number] = node;
    this.nodes[node + WORD] = number;
    return number;
  }

  /** Removes the word, and the nodes that lead to no other word. */
  remove(wordNumber: number): void {
    let node = this.#nodeOfWord[wordNumber]!;
    this.nodes[node + WORD] = 0;
    this.#numbers.release(wordNumber);
    while (node !== ROOT && this.nodes[node + CHILD] === 0 && this.nodes[node + WORD] === 0) {
      const parent = this.nodes[node + PARENT]!;
      this.#removeChild(parent, node);
      node = parent;
    }
  }

  #addChild(parent: number, code: number): number {
    const node = this.#takeNode();
    const nodes = this.nodes;
    nodes[node + CODE] = code;
    nodes[node + PARENT] = parent;
    // Appended after its siblings, because frequent letters tend to be inserted first, and are then found first.
    let linkIndex = parent + CHILD;
    while (nodes[linkIndex] !== 0) linkIndex = nodes[linkIndex]! + SIBLING;
    nodes[linkIndex] = node;
    nodes[node + SIBLING] = 0;
    nodes[parent + LETTERS]! |= toLetterBit(code);
    return node;
  }

  #removeChild(parent: number, removed: number): void {
    const nodes = this.nodes;
    let letters = 0;
    let linkIndex = parent + CHILD;
    for (let child = nodes[linkIndex]!; child !== 0; child = nodes[child + SIBLING]!) {
      if (child === removed) nodes[linkIndex] = nodes[removed + SIBLING]!;
      else {
        letters |= toLetterBit(nodes[child + CODE]!);
        linkIndex = child + SIBLING;
      }
    }
    nodes[parent + LETTERS] = letters;
    // Nothing else needs clearing: a node is freed only when it has no word, no child and thus no letters.
    nodes[removed + SIBLING] = this.#freeNode;
    this.#freeNode = removed;
  }

  #takeNode(): number {
    const freeNode = this.#freeNode;
    if (freeNode !== 0) {
      this.#freeNode = this.nodes[freeNode + SIBLING]!;
      return freeNode;
    }
    const node = this.nodesEnd;
    this.nodesEnd += NODE_LENGTH;
    this.nodes = ensureLength(this.nodes, this.nodesEnd);
    return node;
  }
}
