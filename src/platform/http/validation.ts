import type { FastifyServerOptions } from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import { parseBirthDate } from '#core/age.ts';
import { parseCpf } from '#core/cpf.ts';
import { amountFault, MAX_CENTS, parseReais } from '#core/money.ts';
import { type FieldError, type Problem, validationFailed } from '../problem.ts';
import { isInstant, isPhone, isText } from './formats.ts';

const MOST_ERRORS_TOLD = 50;

type Compiler = Parameters<NonNullable<NonNullable<FastifyServerOptions['ajv']>['onCreate']>>[0];
type Validate = ReturnType<Compiler['compile']>;

/** By the text of the schema: doors of one process share what was compiled. */
const compiled = new Map<string, Validate>();

function prepare(ajv: Compiler): void {
  // Here, because Fastify adds formats of its own after ours. Its date-time takes leap seconds, which are no Date.
  ajv.addFormat('date-time', isInstant);
  compileLate(ajv);
}

/** What is not asked for yet is not compiled yet: all of them take longer than the rest of opening a door. */
function compileLate(ajv: Compiler): void {
  const compile = ajv.compile.bind(ajv);
  ajv.compile = ((schema: object) => {
    const text = JSON.stringify(schema);
    const validate = ((data: unknown) => {
      const known = compiled.get(text) ?? compile(schema);
      compiled.set(text, known);
      const isValid = known(data);
      validate.errors = known.errors ?? null;
      return isValid;
    }) as Validate;
    return validate;
  }) as Compiler['compile'];
}

/** Bodies are strict: nothing coerced, nothing dropped, every fault told. */
export const ajvOptions = {
  customOptions: {
    coerceTypes: false as const,
    removeAdditional: false,
    useDefaults: true,
    allErrors: true,
    verbose: true, // the value and the schema, for the message
    formats: {
      phone: isPhone,
      text: isText,
      cpf: (text: string) => parseCpf(text) !== null,
      'birth-date': (text: string) => parseBirthDate(text) !== null,
      reais: { type: 'number' as const, validate: (amount: number) => parseReais(amount) !== null },
    },
  },
  onCreate: prepare,
};

/** Far more than any body of ours has. Beyond that it is refused unread: telling every fault costs time for each. */
export const MOST_MEMBERS = 1_000;

/** Whether a body has more members in all than that. It stops at the one that is too much. */
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

const PLACES: Record<string, string> = { body: 'body', querystring: 'query', headers: 'headers' };

export function toProblem(faults: FastifySchemaValidationError[], place: string): Problem {
  const alternatives = oneOfThese(faults);
  const others = faults.filter((fault) => !isPartOfAnyOf(fault) && !isToldByMaximum(fault));
  const total = alternatives.length + others.length;
  const told = others.slice(0, MOST_ERRORS_TOLD - alternatives.length).map(toFieldError);
  const where = PLACES[place] ?? 'request';
  return validationFailed(`${total === 1 ? 'A fault' : `${total} faults`} in the ${where}.`, {
    errors: [...alternatives, ...told],
  });
}

/** `anyOf: [{required: [a]}, {required: [b]}]` says: a or b is required. Told once, at each of them. */
function oneOfThese(faults: FastifySchemaValidationError[]): FieldError[] {
  const names = faults
    .filter((fault) => fault.keyword === 'required' && isPartOfAnyOf(fault))
    .map((fault) => String(fault.params.missingProperty));
  return names.map((name) => ({ pointer: `/${name}`, message: `${names.join(' or ')} is required` }));
}

function isPartOfAnyOf(fault: FastifySchemaValidationError): boolean {
  return fault.keyword === 'anyOf' || fault.schemaPath.includes('/anyOf/');
}

type Verbose = { data?: unknown; parentSchema?: { maximum?: number } };

/** An amount beyond all amounts is beyond the maximum of its field as well. */
function isToldByMaximum(fault: FastifySchemaValidationError): boolean {
  const { data, parentSchema } = fault as Verbose;
  const isTooLarge = fault.params.format === 'reais' && Number(data) * 100 > MAX_CENTS;
  return isTooLarge && parentSchema?.maximum !== undefined;
}

function toFieldError(fault: FastifySchemaValidationError): FieldError {
  const params = fault.params as Record<string, unknown>;
  switch (fault.keyword) {
    case 'required':
      return {
        pointer: `${fault.instancePath}/${escapePointer(params.missingProperty)}`,
        message: 'is required',
      };
    case 'additionalProperties':
      return {
        pointer: `${fault.instancePath}/${escapePointer(params.additionalProperty)}`,
        message: 'is not a known field',
      };
    case 'type':
      return { pointer: fault.instancePath, message: `must be ${article(String(params.type))}` };
    case 'enum':
      return {
        pointer: fault.instancePath,
        message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}`,
      };
    case 'format':
      if (params.format === 'reais')
        return { pointer: fault.instancePath, message: amountFault((fault as Verbose).data as number) };
      return { pointer: fault.instancePath, message: FORMATS[String(params.format)] ?? 'is not valid' };
    case 'minLength':
      return {
        pointer: fault.instancePath,
        message: `must have at least ${plural(params.limit, 'character')}`,
      };
    case 'maxLength':
      return {
        pointer: fault.instancePath,
        message: `must have at most ${plural(params.limit, 'character')}`,
      };
    case 'minimum':
      return { pointer: fault.instancePath, message: `must be at least ${params.limit}` };
    case 'exclusiveMinimum':
      return { pointer: fault.instancePath, message: `must be above ${params.limit}` };
    case 'maximum':
      return { pointer: fault.instancePath, message: `must be at most ${params.limit}` };
    case 'pattern':
      return { pointer: fault.instancePath, message: `must match ${String(params.pattern)}` };
    default:
      return { pointer: fault.instancePath, message: fault.message ?? 'is not valid' };
  }
}

const FORMATS: Record<string, string> = {
  email: 'must be an e-mail address',
  phone: 'must be a phone number in international format, like +5511987654321',
  text: 'must not be blank, nor hold a NUL character or half of a character',
  cpf: 'must be a CPF, like 123.456.789-09, whose check digits agree',
  'birth-date': 'must be a day of birth like 1990-05-31, not in the future',
  'date-time': 'must be an instant like 2026-11-15T12:00:00Z',
};

function escapePointer(name: unknown): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function plural(count: unknown, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const PLAIN: Record<string, RegExp> = { integer: /^-?\d{1,15}$/, number: /^-?\d{1,30}(?:\.\d{1,15})?$/ };

/** Query parameters are text; those the schema calls numbers become such if they are written plainly, as their type is. */
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
    // Anything else ('1e3', ' 2', '0x10', a repeated parameter) stays as it is and fails validation by its type.
    if (typeof value === 'string' && plain.test(value)) query[name] = Number(value);
  }
}
