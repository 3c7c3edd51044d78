import type { Input } from '../../src/cli/manifest.ts';
import type { CommandDeclaration, Option } from '../../src/platform/command-line/command.ts';
import { findTypeName, isNullable, listVariants, type Schema, type Schemas } from './json-schema.ts';

export type OptionTable = Record<string, Option>;

export type Content = Record<string, { schema?: Schema; example?: unknown }>;
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };
export type OperationInputs = {
  parameters?: Parameter[];
  requestBody?: { content: Content };
};

/** The command of a list fetches its pages automatically, and declares its own `--limit`. */
const PAGING_PARAMETERS = ['page', 'limit', 'after', 'before', 'up_to'];
/** A field that allows longer texts can also be read from a file. */
const MAX_INLINE_LENGTH = 1_000;

/** Converts the parameters and the body of an operation to arguments and options of its command. */
export function readInputs(operation: OperationInputs, schemas: Schemas, { isList }: { isList: boolean }) {
  const positionals: Array<NonNullable<CommandDeclaration['positionals']>[number]> = [];
  const options: OptionTable = {};
  const inputs: Record<string, Input> = {};

  const addOption = (
    location: Input['in'],
    name: string,
    schema: Schema,
    { isRequired }: { isRequired: boolean },
  ): void => {
    const resolvedSchema = schemas.resolve(schema);
    const option = name.replaceAll(/[/_]/g, '-');
    if (options[option]) return; // an earlier alternative of the body has the same field
    const input = toInput(location, name, schema, schemas);
    inputs[option] = input;
    options[option] = {
      ...(input.type !== 'boolean' && { value: toPlaceholder(input, resolvedSchema) }),
      help: describeInput(resolvedSchema, input),
      ...(isRequired && { required: true as const }),
      ...(input.choices && { choices: input.choices }),
    };
  };

  for (const parameter of operation.parameters ?? []) {
    const { name, schema, description = '', required } = parameter;
    const isHandledByCommand = name === 'csv' || (isList && PAGING_PARAMETERS.includes(name));
    if (parameter.in === 'path') {
      positionals.push({ name: name.toUpperCase(), help: toHelp(description || `the ${name}`) });
      inputs[name.toUpperCase()] = { in: 'path', name, type: 'text' };
    } else if (!isHandledByCommand)
      addOption(parameter.in as Input['in'], name, { ...schema, description }, { isRequired: required });
  }

  const bodySchema = operation.requestBody?.content['application/json']?.schema;
  for (const { name, schema, isRequired } of bodySchema ? listBodyFields(bodySchema, schemas) : [])
    addOption('body', name, schema, { isRequired });
  return { positionals, options, inputs };
}

type BodyField = { name: string; schema: Schema; isRequired: boolean };

/** Lists the fields of all alternatives of a body. A nested object of scalars is listed by its fields: `terms/fine_percent`. */
function listBodyFields(body: Schema, schemas: Schemas): BodyField[] {
  const variants = listVariants(schemas.resolve(body), schemas);
  const isRequired = (name: string) => variants.every(({ required = [] }) => required.includes(name));
  return variants.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, schema]) => {
      const nestedFields = Object.entries(schemas.resolve(schema).properties ?? {});
      const isFlat = nestedFields.every(([, nestedSchema]) => isScalar(schemas.resolve(nestedSchema)));
      if (nestedFields.length === 0 || !isFlat) return [{ name, schema, isRequired: isRequired(name) }];
      return nestedFields.map(([nestedName, nestedSchema]) => ({
        name: `${name}/${nestedName}`,
        schema: nestedSchema,
        isRequired: false, // the API checks whether the nested object is complete
      }));
    }),
  );
}

const isScalar = (schema: Schema): boolean =>
  schema.enum !== undefined ||
  ['string', 'number', 'integer', 'boolean'].includes(findTypeName(schema) ?? '');

function toInput(location: Input['in'], name: string, declaredSchema: Schema, schemas: Schemas): Input {
  const schema = schemas.resolve(declaredSchema);
  const type = findType(schema, schemas);
  const choices = type === 'list' ? schemas.resolve(schema.items!).enum : schema.enum;
  const isLong = type === 'text' && (schema.maxLength ?? 0) > MAX_INLINE_LENGTH;
  return {
    in: location,
    name,
    type,
    ...(choices && type !== 'boolean' && { choices: choices.map(String) }),
    ...((isNullable(schema) || isNullable(declaredSchema)) && { nullable: true }),
    ...((type === 'json' || isLong || name === 'password') && { fromFile: true }),
  };
}

function findType(schema: Schema, schemas: Schemas): Input['type'] {
  if (schema.enum)
    return schema.enum.every((value) => ['true', 'false'].includes(String(value))) ? 'boolean' : 'text';
  const type = findTypeName(schema);
  if (schema.format === 'reais') return 'reais';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  if (type === 'string') return 'text';
  if (type === 'array' && isScalar(schemas.resolve(schema.items!))) return 'list';
  return 'json';
}

const PLACEHOLDERS: Record<Input['type'], string> = {
  text: 'TEXT',
  integer: 'N',
  number: 'N',
  reais: 'REAIS',
  boolean: '',
  list: 'LIST',
  json: '@FILE',
};

function toPlaceholder({ type, choices, name }: Input, { format }: Schema): string {
  if (choices && type === 'text') return name.toUpperCase();
  if (format === 'date' || format === 'birth-date') return 'DAY';
  return format === 'date-time' ? 'INSTANT' : PLACEHOLDERS[type];
}

function describeInput({ description = '', default: defaultValue }: Schema, input: Input): string {
  const { choices, type, nullable, fromFile } = input;
  return [
    toHelp(description),
    choices && `${type === 'list' ? 'comma-separated: ' : ''}${choices.join(', ')}`,
    !choices && type === 'list' && 'comma-separated',
    nullable && 'none: no value',
    fromFile && '@FILE: from a file, @- from standard input',
    defaultValue !== undefined &&
      type !== 'boolean' &&
      `default ${JSON.stringify(defaultValue).replaceAll('"', '')}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** Turns a description into the help of an option: one line, without a first capital letter and a final dot. */
const toHelp = (description: string): string =>
  description
    .replaceAll(/\s+/g, ' ')
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
