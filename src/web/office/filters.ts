/**
 * A filter is a query parameter of the call: `choices` for a few values, `day` for a date, else a text. `linked`: pages lead here with
 * it, and it is shown where the address has it.
 */
export type Filter<Name extends string = string> = {
  name: Name;
  label: string;
  choices?: Readonly<Record<string, string>>;
  kind?: 'day' | 'linked';
};

/** For what is typed or pasted. */
export const search = (label: string): Filter<'q'> => ({ name: 'q', label });

export const choice = <Name extends string>(
  name: Name,
  label: string,
  choices: Readonly<Record<string, string>>,
): Filter<Name> => ({ name, label, choices });

export const status = (choices: Readonly<Record<string, string>>) => choice('status', 'Situação', choices);

const linked = <Name extends string>(name: Name, label: string): Filter<Name> => ({
  name,
  label,
  kind: 'linked',
});
export const byCustomer = linked('customer', 'Cliente (id ou telefone)');
export const byCheckout = linked('checkout', 'Compra (código)');
export const byMerchant = linked('merchant', 'Loja (endereço)');
export const byReference = linked('reference', 'Referência da loja');

export const between: ReadonlyArray<Filter<'from' | 'to'>> = [
  { name: 'from', label: 'De', kind: 'day' },
  { name: 'to', label: 'Até', kind: 'day' },
];
