import AjvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { FastifyServerOptions } from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import { parseBirthDate } from '#core/values/age.ts';
import type { Bilingual } from '#core/values/bilingual.ts';
import { parseCpf } from '#core/values/cpf.ts';
import { describeAmountError, MAX_CENTS, parseReais } from '#core/values/money.ts';
import { findNearest } from '#core/values/nearest.ts';
import { describeErrorCount, type FieldError, type Problem, validationFailed } from '../problem.ts';
import { isInstant, isPhone, isText, normalizePhone } from './formats.ts';

const MAX_REPORTED_ERRORS = 50;

/** Compiled validators by the JSON of their schema. All API servers of a process share them. */
const validators = new Map<string, Validate>();
type AjvInstance = Parameters<NonNullable<NonNullable<FastifyServerOptions['ajv']>['onCreate']>>[0];
type Validate = ReturnType<ReturnType<BuildCompilerFromPool>>;

/** Wraps Fastify's own compiler, but compiles lazily: compiling all schemas takes longer than the rest of the startup of an API server. */
export const buildValidator: BuildCompilerFromPool = (schemas, options) => {
  const compile = AjvCompiler()(schemas, options);
  return (route) => {
    const schemaJson = JSON.stringify((route as { schema: object }).schema);
    const validate = ((data: unknown) => {
      const compiledValidate = validators.get(schemaJson) ?? compile(route);
      validators.set(schemaJson, compiledValidate);
      const isValid = compiledValidate(data);
      validate.errors = compiledValidate.errors ?? null;
      return isValid;
    }) as Validate;
    return validate;
  };
};

/** Bodies are validated strictly: no coercion, no removal of unknown fields, and all errors are reported. */
export const ajvOptions = {
  customOptions: {
    coerceTypes: false as const,
    removeAdditional: false,
    useDefaults: true,
    allErrors: true,
    verbose: true, // adds value and schema to errors, for the messages
    allowUnionTypes: true,
    formats: {
      phone: isPhone,
      text: isText,
      cpf: (text: string) => parseCpf(text) !== null,
      'birth-date': (text: string) => parseBirthDate(text) !== null,
      reais: { type: 'number' as const, validate: (amount: number) => parseReais(amount) !== null },
    },
  },
  // The format is added here, because Fastify adds its formats after ours. Its date-time accepts leap seconds, which a Date cannot represent.
  onCreate: (ajv: AjvInstance) => void ajv.addFormat('date-time', isInstant),
};

/** Far more fields than any valid body has. Larger bodies are rejected without validation, because reporting every error takes time. */
export const MAX_BODY_MEMBERS = 1_000;

/** Whether a body has more than `MAX_BODY_MEMBERS` fields and elements. Stops counting at the limit. */
export function hasTooManyMembers(body: unknown): boolean {
  let remaining = MAX_BODY_MEMBERS;
  const unvisited = [body];
  for (let value = unvisited.pop(); value !== undefined; value = unvisited.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const name in value) {
      if (--remaining < 0) return true;
      const member = (value as Record<string, unknown>)[name];
      if (typeof member === 'object' && member !== null) unvisited.push(member);
    }
  }
  return false;
}

const LOCATIONS = { body: 'body', querystring: 'query', headers: 'headers' } as const;

export function toValidationProblem(errors: FastifySchemaValidationError[], location: string): Problem {
  const alternativeErrors = toAlternativeErrors(errors);
  const otherErrors = errors.filter((error) => !isFromAnyOf(error) && !isReportedByMaximum(error));
  const errorCount = alternativeErrors.length + otherErrors.length;
  const reportedErrors = otherErrors
    .slice(0, MAX_REPORTED_ERRORS - alternativeErrors.length)
    .map(toFieldError);
  const errorLocation = LOCATIONS[location as keyof typeof LOCATIONS] ?? 'request';
  return validationFailed(
    [...alternativeErrors, ...reportedErrors],
    describeErrorCount(errorLocation, errorCount),
  );
}

/** `anyOf: [{required: [a]}, {required: [b]}]` requires a or b. If both are missing, the error is reported for each of them. */
function toAlternativeErrors(errors: FastifySchemaValidationError[]): FieldError[] {
  const fieldNames = errors
    .filter((error) => error.keyword === 'required' && isFromAnyOf(error))
    .map((error) => String(error.params.missingProperty));
  const message = {
    en: `${fieldNames.join(' or ')} is required`,
    pt: `é obrigatório informar ${fieldNames.join(' ou ')}`,
  };
  return fieldNames.map((fieldName) => ({ pointer: `/${fieldName}`, message }));
}

function isFromAnyOf(error: FastifySchemaValidationError): boolean {
  return error.keyword === 'anyOf' || error.schemaPath.includes('/anyOf/');
}

type VerboseError = { data?: unknown; parentSchema?: { maximum?: number } };

/** Whether the maximum of the field already reports that the number is too large for an amount. */
function isReportedByMaximum(error: FastifySchemaValidationError): boolean {
  const { data, parentSchema } = error as VerboseError;
  const isTooLarge = error.params.format === 'reais' && Number(data) * 100 > MAX_CENTS;
  return isTooLarge && parentSchema?.maximum !== undefined;
}

function toFieldError(error: FastifySchemaValidationError): FieldError {
  const { keyword, params, instancePath } = error;
  if (keyword === 'format' && params.format === 'reais')
    return { pointer: instancePath, message: describeAmountError((error as VerboseError).data as number) };
  const fieldName = params.missingProperty ?? params.additionalProperty;
  return {
    pointer: fieldName === undefined ? instancePath : `${instancePath}/${escapePointer(fieldName)}`,
    message: KEYWORD_MESSAGES[keyword]?.(params) ?? INVALID_VALUE,
  };
}

type Params = Record<string, unknown>;

const describeMinimum = (noun: Bilingual) => (params: Params) => ({
  en: `must have at least ${pluralize(params.limit, noun.en)}`,
  pt: `deve ter pelo menos ${pluralize(params.limit, noun.pt)}`,
});

const describeMaximum = (noun: Bilingual) => (params: Params) => ({
  en: `must have at most ${pluralize(params.limit, noun.en)}`,
  pt: `deve ter no máximo ${pluralize(params.limit, noun.pt)}`,
});

const CHARACTER: Bilingual = { en: 'character', pt: 'caractere' };
const ITEM: Bilingual = { en: 'item', pt: 'elemento' };
const FIELD: Bilingual = { en: 'field', pt: 'campo' };
const INVALID_VALUE: Bilingual = { en: 'is not valid', pt: 'não é válido' };

export const KEYWORD_MESSAGES: Record<string, (params: Params) => Bilingual> = {
  required: () => ({ en: 'is required', pt: 'é obrigatório' }),
  additionalProperties: () => ({ en: 'is not a known field', pt: 'não é um campo conhecido' }),
  type: ({ type }) => TYPE_MESSAGES[String(type)] ?? INVALID_VALUE,
  enum: ({ allowedValues }) => {
    const values = (allowedValues as unknown[]).join(', ');
    return { en: `must be one of ${values}`, pt: `deve ser um destes: ${values}` };
  },
  format: ({ format }) => FORMAT_MESSAGES[format as keyof typeof FORMAT_MESSAGES] ?? INVALID_VALUE,
  minLength: describeMinimum(CHARACTER),
  maxLength: describeMaximum(CHARACTER),
  minItems: describeMinimum(ITEM),
  maxItems: describeMaximum(ITEM),
  minProperties: describeMinimum(FIELD),
  maxProperties: describeMaximum(FIELD),
  propertyNames: () => ({ en: 'has a name that is not valid', pt: 'tem um nome que não é válido' }),
  not: () => INVALID_VALUE,
  uniqueItems: () => ({ en: 'must not contain duplicates', pt: 'não pode ter itens repetidos' }),
  minimum: ({ limit }) => ({ en: `must be at least ${limit}`, pt: `deve ser no mínimo ${limit}` }),
  exclusiveMinimum: ({ limit }) => ({ en: `must be above ${limit}`, pt: `deve ser maior que ${limit}` }),
  maximum: ({ limit }) => ({ en: `must be at most ${limit}`, pt: `deve ser no máximo ${limit}` }),
  pattern: ({ pattern }) => ({ en: `must match ${pattern}`, pt: `deve seguir o padrão ${pattern}` }),
};

const TYPE_MESSAGES: Record<string, Bilingual> = {
  string: { en: 'must be a string', pt: 'deve ser um texto' },
  number: { en: 'must be a number', pt: 'deve ser um número' },
  integer: { en: 'must be an integer', pt: 'deve ser um número inteiro' },
  boolean: { en: 'must be a boolean', pt: 'deve ser verdadeiro ou falso' },
  object: { en: 'must be an object', pt: 'deve ser um objeto' },
  array: { en: 'must be an array', pt: 'deve ser uma lista' },
};

export const FORMAT_MESSAGES = {
  email: { en: 'must be an e-mail address', pt: 'deve ser um e-mail válido' },
  phone: {
    en: 'must be a phone number, like +5511987654321 or 11 98765-4321',
    pt: 'deve ser um telefone, como +5511987654321 ou 11 98765-4321',
  },
  text: {
    en: 'must not be blank or contain NUL or invalid characters',
    pt: 'não pode ficar em branco nem ter caracteres inválidos',
  },
  cpf: {
    en: 'must be a CPF with valid check digits, like 123.456.789-09',
    pt: 'CPF inválido. Confira os números.',
  },
  'birth-date': {
    en: 'must be a date of birth like 1990-05-31, not in the future',
    pt: 'deve ser uma data de nascimento como 1990-05-31, que não esteja no futuro',
  },
  reais: describeAmountError(0), // the message for an amount within the bounds
  date: { en: 'must be a date like 2026-11-15', pt: 'deve ser uma data como 2026-11-15' },
  'date-time': {
    en: 'must be a timestamp like 2026-11-15T12:00:00Z',
    pt: 'deve ser data e hora como 2026-11-15T12:00:00Z',
  },
} as const satisfies Record<string, Bilingual>;

function escapePointer(name: unknown): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

function pluralize(count: unknown, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const PLAIN_NUMBERS: Record<string, RegExp> = {
  integer: /^-?\d{1,15}$/,
  number: /^-?\d{1,30}(?:\.\d{1,15})?$/,
};

/** Lists the query parameters that the schema declares as numbers. Query parameters are texts; `parseNumbers` converts plain decimals. */
export function listNumberParameters(query: TSchema | undefined): Array<[name: string, pattern: RegExp]> {
  const properties =
    (query as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {};
  return Object.entries(properties).flatMap(([name, { type = '' }]) =>
    PLAIN_NUMBERS[type] ? [[name, PLAIN_NUMBERS[type]]] : [],
  );
}

export function parseNumbers(query: Record<string, unknown>, parameters: Array<[string, RegExp]>): void {
  for (const [name, pattern] of parameters) {
    const value = query[name];
    // Any other value ('1e3', ' 2', '0x10', a repeated parameter) stays text and fails validation by its type.
    if (typeof value === 'string' && pattern.test(value)) query[name] = Number(value);
  }
}

const MAX_PHONE_LENGTH = 40;

/** Lists the fields for phone numbers, which people may write freely (11 98765-4321). `normalizePhones` converts them to E.164. */
export function listPhoneFields(schema: TSchema | undefined): string[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { format?: string }> };
  return Object.keys(properties).filter((name) => properties[name]!.format === 'phone');
}

export function normalizePhones(record: unknown, fieldNames: readonly string[]): void {
  if (typeof record !== 'object' || record === null) return;
  const fields = record as Record<string, unknown>;
  for (const name of fieldNames) {
    const typedPhone = fields[name];
    // An invalid number stays unchanged and fails validation.
    if (typeof typedPhone === 'string' && typedPhone.length <= MAX_PHONE_LENGTH)
      fields[name] = normalizePhone(typedPhone) ?? typedPhone;
  }
}

type BodySchema = {
  type?: string | readonly string[];
  properties?: Record<string, BodySchema>;
  required?: readonly string[];
  items?: BodySchema;
  anyOf?: readonly BodySchema[];
  const?: unknown;
  enum?: readonly unknown[];
};

function acceptsNull(schema: BodySchema): boolean {
  const { type, anyOf, enum: values } = schema;
  if (type !== undefined) return [type].flat().includes('null');
  if (anyOf) return anyOf.some(acceptsNull);
  return values ? values.includes(null) : !('const' in schema) || schema.const === null;
}

/** Removes null from optional fields that do not accept it, and with `ignoresEmptyTexts` also ''. Both mean that the field is absent. */
export function removeAbsentFields(
  value: unknown,
  schema: object,
  options: { ignoresEmptyTexts?: boolean } = {},
): void {
  const { items, properties = {}, required = [] } = schema as BodySchema;
  if (Array.isArray(value)) {
    if (items) for (const item of value) removeAbsentFields(item, items, options);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const [name, fieldSchema] of Object.entries(properties)) {
    const fieldValue = fields[name];
    const isAbsent =
      (fieldValue === null && !acceptsNull(fieldSchema)) || (options.ignoresEmptyTexts && fieldValue === '');
    if (isAbsent && !required.includes(name)) delete fields[name];
    else removeAbsentFields(fieldValue, fieldSchema, options);
  }
}

/** Analytics and cache busters add these to the URL of a page, which applications pass on. */
const IGNORED_PARAMETER = /^(utm_|_)/;

/** Rejects unknown query parameters, because a list would ignore a mistyped filter and return all rows. */
export function refuseUnknownParameters(query: TSchema | undefined): (parameters: object) => void {
  const knownParameters = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
  const isKnown = (name: string) => knownParameters.includes(name) || IGNORED_PARAMETER.test(name);
  return (parameters) => {
    const unknownNames = Object.keys(parameters).filter((name) => !isKnown(name));
    if (unknownNames.length === 0) return;
    const reportedErrors = unknownNames.slice(0, MAX_REPORTED_ERRORS);
    throw validationFailed(
      reportedErrors.map((name) => ({
        pointer: `/${escapePointer(name)}`,
        message: describeUnknownParameter(name, knownParameters),
      })),
      describeErrorCount('query', unknownNames.length),
    );
  };
}

function describeUnknownParameter(name: string, knownParameters: readonly string[]): Bilingual {
  const nearestName = findNearest(name.replace(/\[.*/, '').toLowerCase(), knownParameters);
  if (nearestName !== undefined)
    return {
      en: `is not a parameter of this endpoint; did you mean '${nearestName}'?`,
      pt: `não é um parâmetro daqui; seria '${nearestName}'?`,
    };
  if (knownParameters.length === 0)
    return { en: 'is not a parameter of this endpoint', pt: 'não é um parâmetro daqui' };
  return {
    en: `is not a parameter of this endpoint; its parameters are ${knownParameters.join(', ')}`,
    pt: `não é um parâmetro daqui; existem ${knownParameters.join(', ')}`,
  };
}
