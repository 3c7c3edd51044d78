import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { parseReais } from '#core/values/money.ts';
import type { ApiServer } from '#platform/http/api-server.ts';
import {
  allResponses,
  answersNotModified,
  type Endpoint,
  type ResponseSpec,
} from '#platform/http/endpoint.ts';
import { type CallerProblems, listProblems } from '#platform/http/openapi.ts';

type SentAnswer = { status: number; contentType: string; text: string; isHead: boolean };

/**
 * Compares every response of an API server with the declaration of its endpoint: status, content type, body, and the code of a problem.
 * It reads what is written to the socket, so that no answer is missed. `onFault` gets the differences.
 */
export function checkAnswers(
  api: ApiServer,
  callers: CallerProblems,
  onFault: (fault: string) => void,
): void {
  const find = finderOf(api.endpoints);
  api.server.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const spec = find(request.method!, request.url!.split('?')[0]!);
    if (!spec) return;
    const chunks = listenIn(response);
    // A stream of events ends when its reader leaves.
    response.once('close', () => {
      if (!response.headersSent) return;
      const contentType = contentTypeOf(response);
      if (!response.writableFinished && !contentType.startsWith('text/event-stream')) return;
      const fault = faultOf(
        spec,
        {
          status: response.statusCode,
          contentType,
          text: Buffer.concat(chunks).toString(),
          isHead: request.method === 'HEAD',
        },
        callers,
      );
      if (fault) onFault(`${request.method} ${spec.url} answered ${response.statusCode}: ${fault}`);
    });
  });
}

function finderOf(endpoints: Endpoint[]): (method: string, path: string) => Endpoint | undefined {
  const routes = endpoints.map((spec) => ({
    spec,
    pattern: new RegExp(`^${spec.url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
  }));
  return (method, path) => {
    const routeMethod = method === 'HEAD' ? 'GET' : method;
    // As the router does: an address without parameters comes before a pattern, whatever the method.
    const exact = endpoints.filter(({ url }) => url === path);
    if (exact.length > 0) return exact.find((spec) => spec.method === routeMethod);
    return routes.find(({ spec, pattern }) => spec.method === routeMethod && pattern.test(path))?.spec;
  };
}

/** Collects the bytes written to the response. */
function listenIn(response: ServerResponse): Buffer[] {
  const chunks: Buffer[] = [];
  const { write, end } = response;
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  response.write = (...words: unknown[]) => {
    keep(words[0]);
    return write.apply(response, words as never);
  };
  response.end = (...words: unknown[]) => {
    keep(words[0]);
    return end.apply(response, words as never);
  };
  return chunks;
}

/** From the header block that Node sent. */
const contentTypeOf = (response: ServerResponse & { _header?: string }): string =>
  /^content-type: (.*)$/im.exec(response._header ?? '')?.[1] ?? '';

function faultOf(spec: Endpoint, given: SentAnswer, callers: CallerProblems): string | undefined {
  const { status, contentType, text } = given;
  const answer = allResponses(spec)[status];
  if (answer) return given.isHead ? undefined : faultOfAnswer(answer, given);
  if (status === 304 && answersNotModified(spec)) return text === '' ? undefined : 'it has a body';
  if (!contentType.startsWith('application/problem+json')) return 'the status is not declared';
  if (given.isHead) return undefined;
  const { code } = JSON.parse(text) as { code: string };
  const declared = listProblems(spec, callers).some(
    ({ kind }) => kind.status === status && kind.code === code,
  );
  return declared ? undefined : `the problem ${code} is not declared`;
}

function faultOfAnswer(answer: ResponseSpec, { contentType, text }: SentAnswer): string | undefined {
  const { schema } = answer;
  if (answer.json && contentType.startsWith('application/json'))
    return disagreement(answer.json, JSON.parse(text));
  if (!schema && !answer.contentType) return text === '' ? undefined : 'a body is not declared';
  if (answer.csv && contentType.startsWith('text/csv')) return undefined;
  const declared = answer.contentType ?? 'application/json';
  // 'image/*' matches any image type.
  if (!contentType.startsWith(declared.replace(/\*$/, '')))
    return `the content type is ${contentType}, not ${declared}`;
  if (!schema) return undefined;
  const bodies = declared === 'text/event-stream' ? eventsOf(text) : [text];
  return bodies.map((body) => disagreement(schema, JSON.parse(body))).find(Boolean);
}

/** The data of every complete event. */
function eventsOf(stream: string): string[] {
  const blocks = stream.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? []);
}

// Most validators run a few times only: compiling them without optimization costs less.
const ajv = addFormats.default(
  new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code: { optimize: false } }),
);
ajv.addFormat('reais', { type: 'number', validate: (amount) => parseReais(amount) !== null });
type Validator = ReturnType<typeof ajv.compile>;
const validators = new WeakMap<TSchema, Validator>();
/** By the JSON of the schema: each service of a process builds some schemas again. */
const compiled = new Map<string, Validator>();

function compileOnce(schema: TSchema): Validator {
  const closedSchema = closed(schema) as object;
  const text = JSON.stringify(closedSchema);
  const validate = compiled.get(text) ?? ajv.compile(closedSchema);
  compiled.set(text, validate);
  return validate;
}

function disagreement(schema: TSchema, body: unknown): string | undefined {
  const validate = validators.get(schema) ?? compileOnce(schema);
  validators.set(schema, validate);
  if (validate(body)) return undefined;
  return `${ajv.errorsText(validate.errors, { dataVar: 'the body' })}: ${JSON.stringify(body).slice(0, 500)}`;
}

/** Callers ignore fields they do not know; here a field that is not declared is a fault. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id: _, ...rest } = schema as Record<string, unknown>;
  const parts = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, closed(part)]));
  return 'properties' in rest && !('additionalProperties' in rest)
    ? { ...parts, additionalProperties: false }
    : parts;
}
