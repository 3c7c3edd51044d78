import { inReais, percent, shortDay } from '../text/format.ts';
import { Line } from './parts.tsx';

type Props = {
  caption: string;
  heading: string;
  installments: ReadonlyArray<{ number: number; due_on: string; amount: number }>;
};

/** The due dates and amounts. */
export function Schedule({ caption, heading, installments }: Props) {
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
            <td>{shortDay(due_on)}</td>
            <td class="amount">{inReais(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The CET (total cost of the credit), one of the totals (CDC art. 54-B). */
export const Cet = ({ terms }: { terms: { cet_percent_month: number; cet_percent_year: number } }) => (
  <Line
    name="CET"
    value={`${percent(terms.cet_percent_month)} ao mês, ${percent(terms.cet_percent_year)} ao ano`}
  />
);
