/** A node of a query that PostgreSQL has parsed (`pg_node_tree`). */
export type TreeNode = { readonly tag: string; readonly [field: string]: Tree };
export type Tree = string | null | readonly Tree[] | TreeNode;

/** Parses `{TAG :field value ...}`, `(a b)`, and `<>` for null. Special characters in a word are escaped. */
export function parseTree(text: string): Tree {
  const tokens = text.match(/[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g) ?? [];
  let position = 0;
  const parse = (): Tree => {
    const token = tokens[position++]!;
    if (token === '(') {
      const items: Tree[] = [];
      while (tokens[position] !== ')') items.push(parse());
      position++;
      return items;
    }
    if (token !== '{') return token === '<>' ? null : token.replaceAll(/\\(.)/g, '$1');
    const node: Record<string, Tree> & { tag: string } = { tag: tokens[position++]! };
    while (tokens[position] !== '}') {
      const field = tokens[position++]!.slice(1);
      const values: Tree[] = [];
      // A value may have several words, such as the bytes of a constant.
      while (tokens[position] !== '}' && !/^:[a-z]/i.test(tokens[position]!)) values.push(parse());
      node[field] = values.length === 1 ? values[0]! : values;
    }
    position++;
    return node;
  };
  return parse();
}

export const isTreeNode = (tree: Tree | undefined): tree is TreeNode =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree);

export const listTreeNodes = (tree: Tree | undefined): readonly TreeNode[] =>
  Array.isArray(tree) ? tree.filter(isTreeNode) : [];
