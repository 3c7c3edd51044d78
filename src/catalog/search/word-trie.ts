import { grown } from './growable.ts';

// A node is eight integers in a row, half a cache line, and is known by the index of the first. 0 is no node.
export const NODE_LENGTH = 8;
export const CODE = 0; // the letter that leads here, a UTF-16 code unit
export const CHILD = 1; // first child
export const SIBLING = 2; // next child of the same parent
export const PARENT = 3;
export const WORD = 4; // the word that ends here; 0 is no word
const LETTERS = 5; // a bit set of the children's letters, so that most dead ends are found without walking the children
export const COLLECTED = 6; // scratch of TermMatcher
export const FOUND = 7; // scratch of TermMatcher
export const ROOT = NODE_LENGTH;

const CODE_A = 97;
const OTHER_LETTER_BIT = 1 << 26;

function letterBit(code: number): number {
  return code >= CODE_A && code < CODE_A + 26 ? 1 << (code - CODE_A) : OTHER_LETTER_BIT;
}

export function childOf(nodes: Int32Array, node: number, code: number): number {
  if ((nodes[node + LETTERS]! & letterBit(code)) === 0) return 0;
  let child = nodes[node + CHILD]!;
  while (child !== 0 && nodes[child + CODE] !== code) child = nodes[child + SIBLING]!;
  return child;
}

/** Numbers for words, from 1; the number of a removed word is reused. */
export class WordNumbers {
  /** Greater than any number in use. */
  end = 1;
  readonly #free: number[] = [];

  get inUse(): number {
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
  #freeNode = 0;

  constructor(numbers: WordNumbers) {
    this.#numbers = numbers;
  }

  /** The word's number: the one it has, or a new one. */
  add(text: string): number {
    let node = ROOT;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      node = childOf(this.nodes, node, code) || this.#addChild(node, code);
    }
    const known = this.nodes[node + WORD]!;
    if (known !== 0) return known;
    const number = this.#numbers.take();
    this.#nodeOfWord = grown(this.#nodeOfWord, number + 1);
    this.#nodeOfWord[number] = node;
    this.nodes[node + WORD] = number;
    return number;
  }

  /** Removes the word, and the nodes that led to no other word. */
  remove(word: number): void {
    let node = this.#nodeOfWord[word]!;
    this.nodes[node + WORD] = 0;
    this.#numbers.release(word);
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
    // Appended after its siblings: frequent letters are inserted first, and so are found first.
    let link = parent + CHILD;
    while (nodes[link] !== 0) link = nodes[link]! + SIBLING;
    nodes[link] = node;
    nodes[node + SIBLING] = 0;
    nodes[parent + LETTERS]! |= letterBit(code);
    return node;
  }

  #removeChild(parent: number, gone: number): void {
    const nodes = this.nodes;
    let letters = 0;
    let link = parent + CHILD;
    for (let child = nodes[link]!; child !== 0; child = nodes[child + SIBLING]!) {
      if (child === gone) nodes[link] = nodes[gone + SIBLING]!;
      else {
        letters |= letterBit(nodes[child + CODE]!);
        link = child + SIBLING;
      }
    }
    nodes[parent + LETTERS] = letters;
    // Nothing else to clear: a node is freed only when it has no word, no child and so no letters.
    nodes[gone + SIBLING] = this.#freeNode;
    this.#freeNode = gone;
  }

  #takeNode(): number {
    const freed = this.#freeNode;
    if (freed !== 0) {
      this.#freeNode = this.nodes[freed + SIBLING]!;
      return freed;
    }
    const node = this.nodesEnd;
    this.nodesEnd += NODE_LENGTH;
    this.nodes = grown(this.nodes, this.nodesEnd);
    return node;
  }
}
