type Parameter = { name: string; in: string; required?: boolean };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean };
  responses: Record<string, { content?: Record<string, { schema?: { $ref?: string } }> }>;
  security?: Array<Record<string, unknown>>;
  'x-scope'?: string;
  'x-role'?: string;
};
type Document = {
  tags: Array<{ name: string }>;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
};

/** Every function of the client, for its documentation: a table for each chapter of openapi.json. */
export function renderOperationList(openApiJson: string): string {
  const document = JSON.parse(openApiJson) as Document;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const chapters = document.tags.map(({ name }) => {
    const rows = all
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => {
        const cells = [
          `\`${operation.operationId}\``,
          takes(operation),
          needs(operation),
          `${operation.summary}${mark(document, operation)}`,
          `\`${method} ${path}\``,
        ];
        return `| ${cells.join(' | ')} |`;
      });
    return [
      `### ${name}`,
      '',
      '| function | takes | key, token | does | request |',
      '|---|---|---|---|---|',
      ...rows,
    ];
  });
  return chapters.map((lines) => lines.join('\n')).join('\n\n');
}

/** `path: slug`, `query: q?, page?`, `body`: what may be left out has a question mark. */
function takes({ parameters = [], requestBody }: Operation): string {
  const named = ['path', 'query'].flatMap((place) => {
    const names = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required }) => (required ? name : `${name}?`));
    return names.length > 0 ? [`\`${place}: ${names.join(', ')}\``] : [];
  });
  const body = requestBody ? [requestBody.required ? '`body`' : '`body?`'] : [];
  return [...named, ...body].join(', ');
}

/** The scope of the key and whose token: a customer's, or a member's with a key of a till. A merchant's own key needs no token. */
function needs({ 'x-scope': scope, 'x-role': role, security = [] }: Operation): string {
  if (scope === undefined) return 'none';
  if (!security.some((needed) => 'token' in needed)) return scope;
  if (role === undefined) return `${scope}, customer`;
  return scope === 'merchant' ? `merchant; or till, ${role}` : `${scope}, ${role}`;
}

/** Lists that `each` iterates, and streams, are marked. */
function mark(document: Document, { responses }: Operation): string {
  const content = responses[200]?.content ?? {};
  if (content['text/event-stream']) return ' (stream)';
  const name = content['application/json']?.schema?.$ref?.split('/').at(-1) ?? '';
  const { data, pagination, has_more } = document.components.schemas[name]?.properties ?? {};
  return data && (pagination || has_more) ? ' (`each`)' : '';
}
