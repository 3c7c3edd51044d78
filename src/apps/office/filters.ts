/**
 * A filter sets a query parameter of the list call. It is a select if it has `choices`, a date input if its kind is `day`, and
 * otherwise a text input. A `linked` filter is set by links from other pages and is rendered only if the address contains it.
 */
export type Filter<Name extends string = string> = {
  name: Name;
  label: string;
  choices?: Readonly<Record<string, string>>;
  kind?: 'day' | 'linked';
};

export const searchFilter = (label: string): Filter<'q'> => ({ name: 'q', label });

export const choiceFilter = <Name extends string>(
  name: Name,
  label: string,
  choices: Readonly<Record<string, string>>,
): Filter<Name> => ({ name, label, choices });

export const statusFilter = (choices: Readonly<Record<string, string>>) =>
  choiceFilter('status', 'Situação', choices);

const linkedFilter = <Name extends string>(name: Name, label: string): Filter<Name> => ({
  name,
  label,
  kind: 'linked',
});
export const customerFilter = linkedFilter('customer', 'Cliente (id ou telefone)');
export const checkoutFilter = linkedFilter('checkout', 'Compra (código)');
export const merchantFilter = linkedFilter('merchant', 'Loja (endereço)');
export const referenceFilter = linkedFilter('reference', 'Referência da loja');

export const dateRangeFilters: ReadonlyArray<Filter<'from' | 'to'>> = [
  { name: 'from', label: 'De', kind: 'day' },
  { name: 'to', label: 'Até', kind: 'day' },
];
