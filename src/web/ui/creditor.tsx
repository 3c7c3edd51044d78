import { useContext } from 'preact/hooks';
import { CreditorContext } from '../server/page.ts';

/** Names the creditor (CDC art. 54-B): in the footer, and in an offer before it is accepted. */
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
