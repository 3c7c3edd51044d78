import { type TObject, type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { maskName } from '#core/values/mask-name.ts';
import { type CallerRole, CUSTOMER_ROLES, hasRole, type Role, seesUnmasked } from './access.ts';

/** The mask of a personal field in a response schema. It applies to staff users without one of the roles `unmaskedFor`. */
export type Mask = 'name' | 'phone' | 'email' | 'text';

const MASKS: Record<Mask, (text: string) => string> = {
  name: maskName,
  phone: (text) => text.replace(/^\+(\d{2})\d+(\d{4})$/, '+$1 ** *****-$2'),
  email: (text) => text.replace(/^(.).*(@.*)$/u, '$1***$2'),
  text: () => '***',
};

type PersonalOptions = TSchemaOptions & { unmaskedFor?: readonly Role[] };

/** Masks a value as `Personal` does for a field of a schema. */
export const maskFor = (role: CallerRole, mask: Mask, value: unknown): unknown =>
  typeof value === 'string' && !seesUnmasked({ role }) ? MASKS[mask](value) : value;

const buildMaskOptions = (mask: Mask, { unmaskedFor = CUSTOMER_ROLES, ...options }: PersonalOptions) => ({
  ...options,
  'x-personal': mask,
  'x-unmasked-for': unmaskedFor,
});

/** Declares a field with personal data of a response, which `findMasker` masks. */
export const Personal = (mask: Mask, options: PersonalOptions = {}) =>
  Type.String(buildMaskOptions(mask, options));

export const PersonalOrNull = (mask: Mask, options: PersonalOptions = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...buildMaskOptions(mask, options) });

/** Removes the masks from fields, for the person themselves, who sees them unmasked. */
export const withoutMasks = <P extends TProperties>(properties: P): P =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      // All properties are copied, because TypeBox marks an optional field by a property that a spread does not copy.
      const unmaskedSchema = Object.defineProperties(
        {},
        Object.getOwnPropertyDescriptors(schema),
      ) as MaskedSchema;
      delete unmaskedSchema['x-personal'];
      delete unmaskedSchema['x-unmasked-for'];
      return [name, unmaskedSchema];
    }),
  ) as P;

export const getMask = (schema: TSchema): Mask | undefined => (schema as MaskedSchema)['x-personal'];

export const customerNameField = {
  customer_name: PersonalOrNull('name', {
    description: 'Name of the customer; masked for the roles `viewer` and `content`.',
    examples: ['Ana Souza'],
  }),
};

export const WithCustomerName = <P extends TProperties>(schema: TObject<P>, $id: string) => {
  const { examples } = schema as { examples?: object[] };
  const namedExamples = examples?.map((example) => ({ ...example, customer_name: 'Ana Souza' }));
  return Type.Object(
    { ...schema.properties, ...customerNameField },
    { $id, ...(namedExamples && { examples: namedExamples }) },
  );
};

/** Whether the schema has data of customers that only `CUSTOMER_ROLES` see unmasked. CSV of it is masked unless a reason is given. */
export const hasCustomerData = (schema: TSchema): boolean => {
  const { properties = {}, items, 'x-unmasked-for': unmaskedFor } = schema as MaskedSchema;
  return (
    unmaskedFor === CUSTOMER_ROLES ||
    [...Object.values(properties), ...(items ? [items] : [])].some(hasCustomerData)
  );
};

type Masker = (value: unknown, role: CallerRole) => unknown;
type MaskedSchema = TSchema & {
  properties?: Record<string, TSchema>;
  items?: TSchema;
  'x-personal'?: Mask;
  'x-unmasked-for'?: readonly Role[];
};

/** The masker of each schema, or null if it has no personal fields. */
const maskers = new WeakMap<TSchema, Masker | null>();

/** Returns a function that masks values of the schema; undefined if the schema has no personal fields. */
export function findMasker(schema: TSchema): Masker | undefined {
  const cachedMasker = maskers.get(schema);
  if (cachedMasker !== undefined) return cachedMasker ?? undefined;
  const masker = buildMasker(schema as MaskedSchema);
  maskers.set(schema, masker ?? null);
  return masker;
}

function buildMasker({ properties, items, ...field }: MaskedSchema): Masker | undefined {
  const mask = field['x-personal'];
  if (mask) {
    const unmaskedFor = field['x-unmasked-for']!;
    return (value, role) =>
      typeof value === 'string' && !hasRole({ role }, unmaskedFor) ? MASKS[mask](value) : value;
  }
  if (items) {
    const maskItem = findMasker(items);
    return maskItem && ((value, role) => (value as unknown[]).map((item) => maskItem(item, role)));
  }
  const fieldMaskers = Object.entries(properties ?? {}).flatMap(([name, schema]) => {
    const masker = findMasker(schema);
    return masker ? [[name, masker] as const] : [];
  });
  if (fieldMaskers.length === 0) return undefined;
  return (value, role) => {
    if (typeof value !== 'object' || value === null) return value;
    const maskedValue: Record<string, unknown> = { ...value };
    for (const [name, masker] of fieldMaskers)
      if (name in maskedValue) maskedValue[name] = masker(maskedValue[name], role);
    return maskedValue;
  };
}
