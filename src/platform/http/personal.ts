import { type TObject, type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';
import { maskName } from '#core/mask-name.ts';
import { ROLES, type Role } from './access.ts';

/**
 * Marks a field as personal data, in the schema of its answer. Roles below the required one get it masked, in lists, CSV and single
 * reads.
 */
type Mask = 'name' | 'phone' | 'email' | 'text';

const MASKS: Record<Mask, (text: string) => string> = {
  name: maskName,
  phone: (text) => text.replace(/^\+(\d{2})\d+(\d{4})$/, '+$1 ** *****-$2'),
  email: (text) => text.replace(/^(.).*(@.*)$/u, '$1***$2'),
  text: () => '***',
};

type PersonalOptions = TSchemaOptions & { maskedBelow?: Role };

const marks = (mask: Mask, { maskedBelow = 'support', ...options }: PersonalOptions) => ({
  ...options,
  'x-personal': mask,
  'x-masked-below': maskedBelow,
});

export const Personal = (mask: Mask, options: PersonalOptions = {}) => Type.String(marks(mask, options));

export const PersonalOrNull = (mask: Mask, options: PersonalOptions = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...marks(mask, options) });

/** In rows that are about a customer. */
export const customerName = {
  customer_name: PersonalOrNull('name', {
    description: 'Of the customer; masked below `support`.',
    examples: ['Ana Souza'],
  }),
};

/** The same schema with the name of the customer. */
export const WithCustomerName = <P extends TProperties>(schema: TObject<P>, $id: string) => {
  const { examples } = schema as { examples?: object[] };
  const named = examples?.map((example) => ({ ...example, customer_name: 'Ana Souza' }));
  return Type.Object({ ...schema.properties, ...customerName }, { $id, ...(named && { examples: named }) });
};

type Masker = (value: unknown, role: Role | '') => unknown;
type Fields = TSchema & {
  properties?: Record<string, TSchema>;
  items?: TSchema;
  'x-personal'?: Mask;
  'x-masked-below'?: Role;
};

const maskers = new WeakMap<TSchema, Masker | null>();

/** Undefined where nothing in it is personal. */
export function maskerOf(schema: TSchema): Masker | undefined {
  const known = maskers.get(schema);
  if (known !== undefined) return known ?? undefined;
  const masker = makeMasker(schema as Fields);
  maskers.set(schema, masker ?? null);
  return masker;
}

function makeMasker({ properties, items, ...field }: Fields): Masker | undefined {
  const mask = field['x-personal'];
  if (mask) {
    const below = ROLES.indexOf(field['x-masked-below']!);
    return (value, role) =>
      typeof value === 'string' && ROLES.indexOf(role as Role) < below ? MASKS[mask](value) : value;
  }
  if (items) {
    const ofItem = maskerOf(items);
    return ofItem && ((value, role) => (value as unknown[]).map((item) => ofItem(item, role)));
  }
  const masked = Object.entries(properties ?? {}).flatMap(([name, schema]) => {
    const masker = maskerOf(schema);
    return masker ? [[name, masker] as const] : [];
  });
  if (masked.length === 0) return undefined;
  return (value, role) => {
    if (typeof value !== 'object' || value === null) return value;
    const shown: Record<string, unknown> = { ...value };
    for (const [name, masker] of masked) if (name in shown) shown[name] = masker(shown[name], role);
    return shown;
  };
}
