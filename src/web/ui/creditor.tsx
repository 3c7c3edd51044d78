import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Creditor } from '../server/lender.ts';

/** Undefined: the service has not told yet. */
export const CreditorContext = createContext<Creditor | undefined>(undefined);

/** Whose credit it is (CDC art. 54-B): for the foot of a page, and for an offer before the yes. */
export function CreditorLine() {
  const creditor = useContext(CreditorContext);
  if (!creditor) return null;
  const { name, cnpj, address, email } = creditor;
  return (
    <p class="fine creditor">
      Credor: {name}, CNPJ {cnpj}. {address}. Contato: <a href={`mailto:${email}`}>{email}</a>
    </p>
  );
}
