import { useContext } from 'preact/hooks';
import { CreditorContext } from '../server/page.ts';
import { formatPercent, formatReais, formatShortDay } from '../text/format.ts';
import { Line } from './components.tsx';

type ScheduleProps = {
  caption: string;
  heading: string;
  installments: ReadonlyArray<{ number: number; due_on: string; amount: number }>;
};

export function Schedule({ caption, heading, installments }: ScheduleProps) {
  return (
    <table class="schedule">
      <caption class="sr">{caption}</caption>
      <thead class="sr">
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">Vencimento</th>
          <th scope="col">Valor</th>
        </tr>
      </thead>
      <tbody>
        {installments.map(({ number, due_on, amount }) => (
          <tr key={number}>
            <th scope="row">{number}ª</th>
            <td>{formatShortDay(due_on)}</td>
            <td class="amount">{formatReais(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The CET, the total cost of the credit as a rate, which must be shown with the totals (CDC art. 54-B). */
export const CetLine = ({ terms }: { terms: { cet_percent_month: number; cet_percent_year: number } }) => (
  <Line
    name="CET"
    value={`${formatPercent(terms.cet_percent_month)} ao mês, ${formatPercent(terms.cet_percent_year)} ao ano`}
  />
);

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
