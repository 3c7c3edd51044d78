import { formatCnpj } from '#core/values/cnpj.ts';
import { type Cpf, formatCpf } from '#core/values/cpf.ts';
import type { Block } from '#platform/documents/document.ts';
import { defineService } from '#platform/service.ts';
import type { CreditSettings } from '../settings.ts';

export type CreditorSettings = Pick<
  CreditSettings,
  'creditorName' | 'creditorCnpj' | 'creditorAddress' | 'creditorEmail'
>;
export const creditorSettingsService = defineService<CreditorSettings>('creditor settings');
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

export const toCreditor = (creditorSettings: CreditorSettings): Creditor => ({
  name: creditorSettings.creditorName,
  cnpj: formatCnpj(creditorSettings.creditorCnpj),
  address: creditorSettings.creditorAddress,
  email: creditorSettings.creditorEmail,
});

export const buildPersonFacts = ({ name, cpf }: Person): Block =>
  buildCustomerFacts({ name, cpf: formatCpf(cpf) });

export const buildCustomerFacts = ({ name, cpf }: { name: string; cpf: string }): Block => ({
  facts: [
    ['Cliente', name],
    ['CPF', cpf],
  ],
});
