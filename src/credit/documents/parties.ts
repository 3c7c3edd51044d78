import { formatCnpj } from '#core/values/cnpj.ts';
import { type Cpf, formatCpf } from '#core/values/cpf.ts';
import type { Block } from '#platform/documents/document.ts';
import { defineService } from '#platform/service.ts';
import type { CreditSettings } from '../settings.ts';

export type Lender = Pick<
  CreditSettings,
  'creditorName' | 'creditorCnpj' | 'creditorAddress' | 'creditorEmail'
>;
export const lenderService = defineService<Lender>('lender');
export type Person = { readonly name: string; readonly cpf: Cpf };
export type Item = { readonly name: string; readonly quantity: number; readonly amount_cents: number };

/** The creditor as documents and the API name it: the CNPJ has punctuation. */
export type Creditor = {
  readonly name: string;
  readonly cnpj: string;
  readonly address: string;
  readonly email: string;
};

export const buildCreditorFacts = ({ name, cnpj, address, email }: Creditor): Block => ({
  facts: [
    ['Credor', name],
    ['CNPJ', cnpj],
    ['Endereço', address],
    ['E-mail', email],
  ],
});

export const buildCreditorFooter = ({ name, cnpj, address }: Creditor): string =>
  `${name}, CNPJ ${cnpj}, ${address}`;

export const toCreditor = (lender: Lender): Creditor => ({
  name: lender.creditorName,
  cnpj: formatCnpj(lender.creditorCnpj),
  address: lender.creditorAddress,
  email: lender.creditorEmail,
});

export const buildLenderFacts = (lender: Lender): Block => buildCreditorFacts(toCreditor(lender));
export const buildLenderFooter = (lender: Lender): string => buildCreditorFooter(toCreditor(lender));

export const buildPersonFacts = ({ name, cpf }: Person): Block =>
  buildCustomerFacts({ name, cpf: formatCpf(cpf) });

export const buildCustomerFacts = ({ name, cpf }: { name: string; cpf: string }): Block => ({
  facts: [
    ['Cliente', name],
    ['CPF', cpf],
  ],
});
