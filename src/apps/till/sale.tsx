import { isProblem, type Output } from '#client';
import { parseReaisInput, toReais } from '#core/values/money.ts';
import { defineSessionForm, redirectWithNote } from '../server/form.ts';
import { PageNotFound } from '../server/personal-routes.ts';
import { toFieldErrors } from '../server/problem-texts.ts';
import type { FormHandler } from '../server/visit.ts';
import {
  formatClockTime,
  formatLongDate,
  formatReais,
  formatReaisInput,
  formatShortDay,
  formatShortTime,
  pluralize,
  SHORT_HASH_LENGTH,
  sumReais,
} from '../text/format.ts';
import { QuietLink, StackLink, Submit } from '../ui/buttons.tsx';
import { Breadcrumbs, Line, PageHead, Panel, Status } from '../ui/components.tsx';
import { Field, MoneyField, PostForm, SubmissionContext } from '../ui/forms.tsx';
import { HOME, mayReturn, SALES_PATH, TillPage, type TillPageHandler } from './layout.tsx';
import { describeStatus } from './sales.tsx';

const CRUMBS = [{ href: SALES_PATH, text: 'Vendas' }];

type Sale = Output<'getSale'>;

const computeReturnableAmount = ({ amounts }: Sale) => sumReais(amounts.financed, -amounts.returned);

export const salePage: TillPageHandler = async (visit) => {
  const sale = await visit.api.getSale({ path: { hash: visit.params.hash! } });
  const { hash, amounts, customer, purchased_at, description, installments, by } = sale;
  const salePath = `${SALES_PATH}/${hash}`;
  return (
    <TillPage
      title="Venda"
      tab="vendas"
      head={
        <PageHead title={formatReais(amounts.financed)} crumbs={CRUMBS}>
          <p>
            <Status {...describeStatus(sale)} />
          </p>
        </PageHead>
      }
    >
      <section class="panel" aria-label="A venda">
        <dl class="totals">
          <Line name="Cliente" value={customer.name} />
          <Line name="Quando" value={formatShortTime(purchased_at)} />
          {description && <Line name="O quê" value={description} />}
          {by && <Line name="Quem vendeu" value={by.name} />}
          <Line name="Código da compra" value={<b>{hash.slice(0, SHORT_HASH_LENGTH)}</b>} />
          {amounts.returned > 0 && <Line name="Devolvido" value={formatReais(amounts.returned)} />}
        </dl>
        <div class="stack">
          {mayReturn(visit) && computeReturnableAmount(sale) > 0 && (
            <StackLink href={`${salePath}/devolver`}>Devolver</StackLink>
          )}
          <StackLink href={`${salePath}/comprovante`}>Comprovante</StackLink>
        </div>
      </section>
      <h2 class="small-title">O que o cliente paga</h2>
      <ol class="lines">
        {installments.map(({ number, due_on, status, total_due, paid, returned, amount }) => (
          <li key={number}>
            <span class="line-start">{number}ª</span>
            <span class="line-text">
              {formatShortDay(due_on)}
              <small>
                {returned >= amount ? 'devolvida' : INSTALLMENT_STATUS_TEXTS[status]}
                {returned > 0 && returned < amount && `, ${formatReais(returned)} devolvidos`}
              </small>
            </span>
            <span class="line-amount">
              <b>{formatReais(status === 'paid' ? paid : total_due)}</b>
            </span>
          </li>
        ))}
      </ol>
      <p class="hint">O cliente paga à Semana; a loja recebe da Semana.</p>
    </TillPage>
  );
};

const INSTALLMENT_STATUS_TEXTS = { open: 'em aberto', overdue: 'em atraso', paid: 'paga' } as const;

/** The printable slip of a sale, for 58 mm paper and A4: the styles are at the end of till.css. */
export const slipPage: TillPageHandler = async (visit) => {
  const sale = await visit.api.getSale({ path: { hash: visit.params.hash! } });
  const { hash, amounts, customer, purchased_at, description, installments, by, terms } = sale;
  const { name } = visit.me.merchant;
  return (
    <TillPage
      title="Comprovante"
      tab="vendas"
      head={
        <Breadcrumbs
          class="screen-only"
          crumbs={[...CRUMBS, { href: `${SALES_PATH}/${hash}`, text: 'Venda' }]}
        />
      }
    >
      <article class="slip">
        <h1>{name}</h1>
        <p>Venda em parcelas semanais, com a Semana</p>
        <dl>
          <Line name="Data" value={`${formatLongDate(purchased_at)}, ${formatClockTime(purchased_at)}`} />
          <Line name="Cliente" value={customer.name} />
          {description && <Line name="Compra" value={description} />}
          {by && <Line name="Atendimento" value={by.name.split(' ')[0]} />}
          <Line name="Código" value={hash.slice(0, SHORT_HASH_LENGTH)} />
        </dl>
        <p class="slip-total">
          <span>Total</span> <b>{formatReais(amounts.financed)}</b>
        </p>
        {amounts.returned > 0 && (
          <p class="slip-total">
            <span>Devolvido</span> <b>{formatReais(amounts.returned)}</b>
          </p>
        )}
        <table>
          <caption>{pluralize(installments.length, 'parcela', 'parcelas')}, no PIX</caption>
          <tbody>
            {installments.map(({ number, due_on, amount, returned }) => (
              <tr key={number}>
                <th scope="row">{number}ª</th>
                <td>{formatShortDay(due_on)}</td>
                <td>{formatReais(Math.max(0, sumReais(amount, -returned)))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          Em atraso: multa de {terms.fine_percent}% e juros de {terms.late_interest_percent}% ao mês. As
          condições e o PIX de cada parcela estão na carteira do cliente, em {visit.siteUrl.split('//')[1]}.
        </p>
      </article>
      <p class="actions screen-only">
        <button class="button" type="button" data-print hidden>
          Imprimir
        </button>
        <QuietLink href={HOME}>Próxima venda</QuietLink>
      </p>
      <noscript>
        <p class="hint screen-only">Para imprimir, use o menu do navegador.</p>
      </noscript>
    </TillPage>
  );
};

const RETURN_ROUTE = `${SALES_PATH}/:hash/devolver`;

type ReturnPreview = Extract<Output<'returnSale'>, { would_wait: boolean }>;

/** Renders a form for the amount and the reason; once it is filled in, renders the effects of the return for confirmation. */
export const returnPage: TillPageHandler = async (visit) => {
  const { api, readQuery } = visit;
  if (!mayReturn(visit)) throw new PageNotFound();
  const hash = visit.params.hash!;
  const sale = await api.getSale({ path: { hash } });
  const returnableAmount = computeReturnableAmount(sale);
  const salePath = `${SALES_PATH}/${hash}`;
  if (returnableAmount <= 0) return { redirectTo: salePath };
  const values = {
    valor: readQuery('valor') ?? formatReaisInput(returnableAmount),
    motivo: readQuery('motivo') ?? '',
  };
  const isSubmitted = readQuery('valor') !== undefined;
  const cents = parseReaisInput(values.valor);
  const errors: Record<string, string> = {};
  if (isSubmitted && (cents === null || cents <= 0))
    errors.valor = `Escreva um valor de até ${formatReais(returnableAmount)}.`;
  if (isSubmitted && !values.motivo) errors.motivo = 'Escreva o motivo em poucas palavras.';
  let preview: ReturnPreview | undefined;
  if (isSubmitted && Object.keys(errors).length === 0) {
    const body = { amount: toReais(cents!), reason: values.motivo };
    try {
      preview = (await api.returnSale({ path: { hash }, query: { dry_run: 'true' }, body })) as ReturnPreview;
    } catch (error) {
      // An ended session (401) and an unknown sale (404) have pages of their own.
      if (!isProblem(error) || error.status >= 500 || [401, 404].includes(error.status)) throw error;
      const { form: formError, ...otherErrors } = toFieldErrors(error);
      errors.valor = formError ?? Object.values(otherErrors)[0]!;
    }
  }
  return (
    <TillPage
      title={preview ? 'Confirmar a devolução' : 'Devolver'}
      tab="vendas"
      heading={preview ? `Devolver ${formatReais(preview.amount)}?` : 'Devolver'}
      crumbs={[...CRUMBS, { href: salePath, text: formatReais(sale.amounts.financed) }]}
    >
      {preview ? (
        <>
          <ReturnEffects
            preview={preview}
            dueAmountBefore={sale.amounts.total_due}
            customerName={sale.customer.name}
          />
          <PostForm action={`${salePath}/devolver`} class="stack">
            <input type="hidden" name="valor" value={values.valor} />
            <input type="hidden" name="motivo" value={values.motivo} />
            <Submit class="wide">Devolver {formatReais(preview.amount)}</Submit>
            <StackLink href={`${salePath}/devolver`}>Mudar</StackLink>
          </PostForm>
        </>
      ) : (
        <SubmissionContext.Provider value={{ values, errors }}>
          <form class="panel" action={`${salePath}/devolver`} method="get" noValidate>
            <MoneyField
              name="valor"
              label="Quanto devolver"
              maxLength={20}
              hint={`Até ${formatReais(returnableAmount)}, que é o que resta desta venda.`}
            />
            <Field
              name="motivo"
              label="Motivo"
              maxLength={200}
              hint="O cliente lê. Por exemplo: não serviu."
            />
            <Submit class="wide">Ver o que acontece</Submit>
            <p class="hint">Na próxima tela você confere antes de confirmar.</p>
          </form>
        </SubmissionContext.Provider>
      )}
    </TillPage>
  );
};

function ReturnEffects(props: { preview: ReturnPreview; dueAmountBefore: number; customerName: string }) {
  const { preview, dueAmountBefore, customerName } = props;
  const { refunds, cashback, checkout, merchant, would_wait } = preview;
  const pixRefundTotal = sumReais(...refunds.map(({ amount }) => amount));
  const dueReduction = sumReais(dueAmountBefore, -checkout.amounts.total_due);
  const payoutReduction = sumReais(merchant.owed_before, -merchant.owed_after);
  return (
    <div class="columns effects">
      <Panel id="cliente" title={customerName}>
        <dl class="totals">
          <Line name="Recebe de volta por PIX" value={formatReais(pixRefundTotal)} />
          {cashback > 0 && <Line name="Recebe como cashback" value={formatReais(cashback)} />}
          <Line name="Deixa de dever" value={formatReais(Math.max(0, dueReduction))} />
          <Line name="Ainda deve desta compra" value={formatReais(checkout.amounts.total_due)} isTotal />
        </dl>
      </Panel>
      <Panel id="loja" title="A loja">
        <dl class="totals">
          <Line name="Deixa de receber" value={formatReais(payoutReduction)} />
          <Line
            name={merchant.owed_after < 0 ? 'Fica devendo à Semana' : 'Fica com a receber'}
            value={formatReais(Math.abs(merchant.owed_after))}
            isTotal
          />
        </dl>
      </Panel>
      {would_wait && (
        <p class="note warn">
          Com esta devolução a loja ficaria devendo demais: ela espera até que a Semana confirme.
        </p>
      )}
    </div>
  );
}

export const RETURN_FORMS: Record<string, FormHandler> = {
  [RETURN_ROUTE]: defineSessionForm(RETURN_ROUTE, async ({ api, params, idempotencyKey }, form) => {
    const hash = params.hash!;
    const cents = parseReaisInput(form.readText('valor'));
    const salePath = `${SALES_PATH}/${hash}`;
    if (cents === null) return { redirectTo: `${salePath}/devolver` };
    const body = { amount: toReais(cents), reason: form.readText('motivo') };
    const result = await api.returnSale({ path: { hash }, body, idempotencyKey });
    // The response to a return that waits for approval has only the property `return`.
    const note =
      'return' in result
        ? 'A devolução espera a confirmação da Semana.'
        : `Devolução feita: ${formatReais(result.amount)}. O cliente foi avisado.`;
    return redirectWithNote(salePath, note);
  }),
};
