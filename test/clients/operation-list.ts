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

/** Renders a table of the functions of the client for each tag of openapi.json. */
export function renderOperationList(openApiJson: string): string {
  const document = JSON.parse(openApiJson) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = document.tags.map(({ name }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => {
        const cells = [
          `\`${operation.operationId}\``,
          listInputs(operation),
          describeCredentials(operation),
          `${operation.summary}${describeKind(document, operation)}`,
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
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

/** Lists the inputs, such as `path: slug`, `query: q?, page?`, `body`. Optional inputs have a question mark. */
function listInputs({ parameters = [], requestBody }: Operation): string {
  const parameterCells = ['path', 'query'].flatMap((location) => {
    const names = parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, required }) => (required ? name : `${name}?`));
    return names.length > 0 ? [`\`${location}: ${names.join(', ')}\``] : [];
  });
  const bodyCell = requestBody ? [requestBody.required ? '`body`' : '`body?`'] : [];
  return [...parameterCells, ...bodyCell].join(', ');
}

/** Describes the scope of the key, and whose token is required: a customer's, or a member's with the key of a till. */
function describeCredentials({ 'x-scope': scope, 'x-role': role, security = [] }: Operation): string {
  if (scope === undefined) return 'none';
  if (!security.some((requirement) => 'token' in requirement)) return scope;
  if (role === undefined) return `${scope}, customer`;
  return scope === 'merchant' ? `merchant; or till, ${role}` : `${scope}, ${role}`;
}

/** Describes streams, and lists that `each` can iterate. */
function describeKind(document: Document, { responses }: Operation): string {
  const content = responses[200]?.content ?? {};
  if (content['text/event-stream']) return ' (stream)';
  const name = content['application/json']?.schema?.$ref?.split('/').at(-1) ?? '';
  const { data, pagination, has_more } = document.components.schemas[name]?.properties ?? {};
  return data && (pagination || has_more) ? ' (`each`)' : '';
}
