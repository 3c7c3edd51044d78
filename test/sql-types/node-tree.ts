/** A query as PostgreSQL has parsed it (`pg_node_tree`), as far as it is read here. */
export type TreeNode = { readonly tag: string; readonly [field: string]: Tree };
export type Tree = string | null | readonly Tree[] | TreeNode;

/** `{TAG :field value ...}`, `(a b)`, `<>` for null; special characters in a word are escaped. */
export function parseTree(text: string): Tree {
  const tokens = text.match(/[(){}]|(?:\\[\s\S]|[^\s(){}\\])+/g) ?? [];
  let at = 0;
  const parse = (): Tree => {
    const token = tokens[at++]!;
    if (token === '(') {
      const items: Tree[] = [];
      while (tokens[at] !== ')') items.push(parse());
      at++;
      return items;
    }
    if (token !== '{') return token === '<>' ? null : token.replaceAll(/\\(.)/g, '$1');
    const node: Record<string, Tree> & { tag: string } = { tag: tokens[at++]! };
    while (tokens[at] !== '}') {
      const field = tokens[at++]!.slice(1);
      const values: Tree[] = [];
      // A value may be several words: the bytes of a constant.
      while (tokens[at] !== '}' && !/^:[a-z]/i.test(tokens[at]!)) values.push(parse());
      node[field] = values.length === 1 ? values[0]! : values;
    }
    at++;
    return node;
  };
  return parse();
}

export const isNode = (tree: Tree | undefined): tree is TreeNode =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree);

export const nodesIn = (tree: Tree | undefined): readonly TreeNode[] =>
  Array.isArray(tree) ? tree.filter(isNode) : [];
