import AjvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import { parseBirthDate } from '#core/age.ts';
import type { Bilingual } from '#core/bilingual.ts';
import { parseCpf } from '#core/cpf.ts';
import { amountFault, MAX_CENTS, parseReais } from '#core/money.ts';
import { nearestOf } from '#core/nearest.ts';
import { type FieldError, faultsIn, type Problem, validationFailed } from '../problem.ts';
import { isInstant, isPhone, isText, readPhone } from './formats.ts';

const MOST_ERRORS_TOLD = 50;

/** By the JSON of the schema: doors of one process share compiled validators. */
const compiled = new Map<string, Validate>();
type Compiler = Parameters<NonNullable<NonNullable<FastifyServerOptions['ajv']>['onCreate']>>[0];
type Validate = ReturnType<ReturnType<BuildCompilerFromPool>>;

/** Fastify's own compiler, but lazy: compiling all schemas takes longer than the rest of opening a door. */
export const buildValidator: BuildCompilerFromPool = (schemas, options) => {
  const compile = AjvCompiler()(schemas, options);
  return (route) => {
    const text = JSON.stringify((route as { schema: object }).schema);
    const validate = ((data: unknown) => {
      const known = compiled.get(text) ?? compile(route);
      compiled.set(text, known);
      const isValid = known(data);
      validate.errors = known.errors ?? null;
      return isValid;
    }) as Validate;
    return validate;
  };
};

/** Bodies are strict: no coercion, no removal, every fault reported. */
export const ajvOptions = {
  customOptions: {
    coerceTypes: false as const,
    removeAdditional: false,
    useDefaults: true,
    allErrors: true,
    verbose: true, // adds value and schema, for the message
    formats: {
      phone: isPhone,
      text: isText,
      cpf: (text: string) => parseCpf(text) !== null,
      'birth-date': (text: string) => parseBirthDate(text) !== null,
      reais: { type: 'number' as const, validate: (amount: number) => parseReais(amount) !== null },
    },
  },
  // Here, because Fastify adds formats of its own after ours. Its date-time takes leap seconds, which are no Date.
  onCreate: (ajv: Compiler) => void ajv.addFormat('date-time', isInstant),
};

/** Many clients declare JSON in every request. An empty body is none, which an endpoint that needs one refuses. */
export function acceptEmptyBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null) : parse(request, body, done),
  );
}

/** Far more than any valid body has. Larger ones are refused without validation, because reporting every fault takes time. */
export const MOST_MEMBERS = 1_000;

/** Whether a body has more members than that. Stops counting at the limit. */
export function isTooMuch(body: unknown): boolean {
  let left = MOST_MEMBERS;
  const waiting = [body];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const name in value) {
      if (--left < 0) return true;
      const member = (value as Record<string, unknown>)[name];
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
  return false;
}

const PLACES = { body: 'body', querystring: 'query', headers: 'headers' } as const;

export function toProblem(faults: FastifySchemaValidationError[], place: string): Problem {
  const alternatives = oneOfThese(faults);
  const others = faults.filter((fault) => !isPartOfAnyOf(fault) && !isToldByMaximum(fault));
  const total = alternatives.length + others.length;
  const told = others.slice(0, MOST_ERRORS_TOLD - alternatives.length).map(toFieldError);
  const where = PLACES[place as keyof typeof PLACES] ?? 'request';
  return validationFailed([...alternatives, ...told], faultsIn(where, total));
}

/** `anyOf: [{required: [a]}, {required: [b]}]` requires a or b. Reported once for each of them. */
function oneOfThese(faults: FastifySchemaValidationError[]): FieldError[] {
  const names = faults
    .filter((fault) => fault.keyword === 'required' && isPartOfAnyOf(fault))
    .map((fault) => String(fault.params.missingProperty));
  const message = {
    en: `${names.join(' or ')} is required`,
    pt: `é obrigatório informar ${names.join(' ou ')}`,
  };
  return names.map((name) => ({ pointer: `/${name}`, message }));
}

function isPartOfAnyOf(fault: FastifySchemaValidationError): boolean {
  return fault.keyword === 'anyOf' || fault.schemaPath.includes('/anyOf/');
}

type Verbose = { data?: unknown; parentSchema?: { maximum?: number } };

/** A number beyond all amounts is also reported against its field's maximum. */
function isToldByMaximum(fault: FastifySchemaValidationError): boolean {
  const { data, parentSchema } = fault as Verbose;
  const isTooLarge = fault.params.format === 'reais' && Number(data) * 100 > MAX_CENTS;
  return isTooLarge && parentSchema?.maximum !== undefined;
}

function toFieldError(fault: FastifySchemaValidationError): FieldError {
  const { keyword, params, instancePath } = fault;
  if (keyword === 'format' && params.format === 'reais')
    return { pointer: instancePath, message: amountFault((fault as Verbose).data as number) };
  const name = params.missingProperty ?? params.additionalProperty;
  return {
    pointer: name === undefined ? instancePath : `${instancePath}/${escapePointer(name)}`,
    message: MESSAGES[keyword]?.(params) ?? INVALID,
  };
}

type Params = Record<string, unknown>;

const atLeast = (noun: Bilingual) => (params: Params) => ({
  en: `must have at least ${plural(params.limit, noun.en)}`,
  pt: `deve ter pelo menos ${plural(params.limit, noun.pt)}`,
});

const atMost = (noun: Bilingual) => (params: Params) => ({
  en: `must have at most ${plural(params.limit, noun.en)}`,
  pt: `deve ter no máximo ${plural(params.limit, noun.pt)}`,
});

const CHARACTER: Bilingual = { en: 'character', pt: 'caractere' };
const ITEM: Bilingual = { en: 'item', pt: 'elemento' };
const FIELD: Bilingual = { en: 'field', pt: 'campo' };
const INVALID: Bilingual = { en: 'is not valid', pt: 'não é válido' };

/** The messages for ajv's keywords, from their parameters. */
export const MESSAGES: Record<string, (params: Params) => Bilingual> = {
  required: () => ({ en: 'is required', pt: 'é obrigatório' }),
  additionalProperties: () => ({ en: 'is not a known field', pt: 'não é um campo conhecido' }),
  type: ({ type }) => TYPES[String(type)] ?? INVALID,
  enum: ({ allowedValues }) => {
    const values = (allowedValues as unknown[]).join(', ');
    return { en: `must be one of ${values}`, pt: `deve ser um destes: ${values}` };
  },
  format: ({ format }) => FORMATS[format as keyof typeof FORMATS] ?? INVALID,
  minLength: atLeast(CHARACTER),
  maxLength: atMost(CHARACTER),
  minItems: atLeast(ITEM),
  maxItems: atMost(ITEM),
  minProperties: atLeast(FIELD),
  not: () => INVALID,
  uniqueItems: () => ({ en: 'must not have the same item twice', pt: 'não pode ter itens repetidos' }),
  minimum: ({ limit }) => ({ en: `must be at least ${limit}`, pt: `deve ser no mínimo ${limit}` }),
  exclusiveMinimum: ({ limit }) => ({ en: `must be above ${limit}`, pt: `deve ser maior que ${limit}` }),
  maximum: ({ limit }) => ({ en: `must be at most ${limit}`, pt: `deve ser no máximo ${limit}` }),
  pattern: ({ pattern }) => ({ en: `must match ${pattern}`, pt: `deve seguir o padrão ${pattern}` }),
};

const TYPES: Record<string, Bilingual> = {
  string: { en: 'must be a string', pt: 'deve ser um texto' },
  number: { en: 'must be a number', pt: 'deve ser um número' },
  integer: { en: 'must be an integer', pt: 'deve ser um número inteiro' },
  boolean: { en: 'must be a boolean', pt: 'deve ser verdadeiro ou falso' },
  object: { en: 'must be an object', pt: 'deve ser um objeto' },
  array: { en: 'must be an array', pt: 'deve ser uma lista' },
};

export const FORMATS = {
  email: { en: 'must be an e-mail address', pt: 'deve ser um e-mail válido' },
  phone: {
    en: 'must be a phone number, like +5511987654321 or 11 98765-4321',
    pt: 'deve ser um telefone, como +5511987654321 ou 11 98765-4321',
  },
  text: {
    en: 'must not be blank, nor hold a NUL character or half of a character',
    pt: 'não pode ficar em branco nem ter caracteres inválidos',
  },
  cpf: {
    en: 'must be a CPF, like 123.456.789-09, whose check digits agree',
    pt: 'CPF inválido. Confira os números.',
  },
  'birth-date': {
    en: 'must be a day of birth like 1990-05-31, not in the future',
    pt: 'deve ser uma data de nascimento como 1990-05-31, que não esteja no futuro',
  },
  reais: amountFault(0),
  date: { en: 'must be a day like 2026-11-15', pt: 'deve ser uma data como 2026-11-15' },
  'date-time': {
    en: 'must be an instant like 2026-11-15T12:00:00Z',
    pt: 'deve ser data e hora como 2026-11-15T12:00:00Z',
  },
} as const satisfies Record<string, Bilingual>;

function escapePointer(name: unknown): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

function plural(count: unknown, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const PLAIN: Record<string, RegExp> = { integer: /^-?\d{1,15}$/, number: /^-?\d{1,30}(?:\.\d{1,15})?$/ };

/** Query parameters are text. Those the schema declares as numbers are converted if they are plain decimals. */
export function numberParameters(query: TSchema | undefined): Array<[name: string, plain: RegExp]> {
  const properties =
    (query as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {};
  return Object.entries(properties).flatMap(([name, { type = '' }]) =>
    PLAIN[type] ? [[name, PLAIN[type]]] : [],
  );
}

export function readNumbers(query: Record<string, unknown>, parameters: Array<[string, RegExp]>): void {
  for (const [name, plain] of parameters) {
    const value = query[name];
    // Anything else ('1e3', ' 2', '0x10', a repeated parameter) stays text and fails validation by its type.
    if (typeof value === 'string' && plain.test(value)) query[name] = Number(value);
  }
}

/** Phones are taken as people write them (11 98765-4321) and are E.164 from here on. */
export function phoneFields(schema: TSchema | undefined): string[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { format?: string }> };
  return Object.entries(properties).flatMap(([name, { format }]) => (format === 'phone' ? [name] : []));
}

export function readPhones(record: unknown, names: readonly string[]): void {
  if (typeof record !== 'object' || record === null) return;
  const fields = record as Record<string, unknown>;
  for (const name of names) {
    const text = fields[name];
    // What is none stays as it is, and fails validation.
    if (typeof text === 'string' && text.length <= LONGEST_PHONE) fields[name] = readPhone(text) ?? text;
  }
}

const LONGEST_PHONE = 40;

/** At the staff door: a filter that is mistyped, and so ignored, would show everything. Throws what names the nearest that exists. */
export function refuseUnknownParameters(query: TSchema | undefined): (given: object) => void {
  const known = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
  return (given) => {
    const unknown = Object.keys(given).filter((name) => !known.includes(name));
    if (unknown.length === 0) return;
    const told = unknown.slice(0, MOST_ERRORS_TOLD);
    throw validationFailed(
      told.map((name) => ({ pointer: `/${escapePointer(name)}`, message: unknownParameter(name, known) })),
      faultsIn('query', unknown.length),
    );
  };
}

function unknownParameter(name: string, known: readonly string[]): Bilingual {
  const nearest = nearestOf(name, known);
  if (nearest !== undefined)
    return {
      en: `is not a parameter here; did you mean '${nearest}'?`,
      pt: `não é um parâmetro daqui; seria '${nearest}'?`,
    };
  if (known.length === 0) return { en: 'is not a parameter here', pt: 'não é um parâmetro daqui' };
  return {
    en: `is not a parameter here; there are ${known.join(', ')}`,
    pt: `não é um parâmetro daqui; existem ${known.join(', ')}`,
  };
}
