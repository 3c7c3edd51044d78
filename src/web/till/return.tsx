import { isProblem, type Output } from '#client';
import { readReais, toReais } from '#core/money.ts';
import { ownForm, told } from '../server/form.ts';
import type { Form } from '../server/visit.ts';
import { faultOf } from '../server/words.ts';
import { inReais, plainReais } from '../text/format.ts';
import { StackLink, Submit } from '../ui/buttons.tsx';
import { Field, MoneyField } from '../ui/field.tsx';
import { Line, Panel } from '../ui/parts.tsx';
import { fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { HOME, TillPage } from './layout.tsx';
import { missingPage } from './notices.tsx';
import { leftOf } from './sale.tsx';
import { type MakeTillPage, mayReturn } from './visit.ts';

const SALE = `${HOME}/vendas/:hash`;
const RETURN_PATH = `${SALE}/devolver`;

type Preview = Extract<Output<'returnSale'>, { would_wait: boolean }>;

/** First how much and why, then what it would do, then yes. */
export const returnPage: MakeTillPage = async (visit) => {
  const { api, query } = visit;
  if (!mayReturn(visit)) return missingPage(visit);
  const hash = visit.params.hash!;
  const sale = await api.getSale({ path: { hash } });
  const left = leftOf(sale);
  const base = `${HOME}/vendas/${hash}`;
  if (left <= 0) return { to: base };
  const given = { valor: query('valor') ?? plainReais(left), motivo: query('motivo') ?? '' };
  const isAsked = query('valor') !== undefined;
  const cents = readReais(given.valor);
  const faults: Record<string, string> = {};
  if (isAsked && (cents === null || cents <= 0)) faults.valor = `Escreva um valor de até ${inReais(left)}.`;
  if (isAsked && !given.motivo) faults.motivo = 'Escreva o motivo em poucas palavras.';
  let preview: Preview | undefined;
  if (isAsked && Object.keys(faults).length === 0) {
    const body = { amount: toReais(cents!), reason: given.motivo };
    try {
      preview = (await api.returnSale({ path: { hash }, query: { dry_run: 'true' }, body })) as Preview;
    } catch (error) {
      if (!isProblem(error) || error.status >= 500 || [401, 404].includes(error.status)) throw error;
      const { form, ...others } = faultOf(error);
      Object.assign(faults, { valor: form ?? Object.values(others)[0] });
    }
  }
  const field = fieldsOf({ page: RETURN_PATH, values: given, faults });
  return (
    <TillPage
      title={preview ? 'Confirmar a devolução' : 'Devolver'}
      visit={visit}
      tab="vendas"
      heading={preview ? `Devolver ${inReais(preview.amount)}?` : 'Devolver'}
      crumbs={[
        { href: `${HOME}/vendas`, text: 'Vendas' },
        { href: base, text: inReais(sale.amounts.financed) },
      ]}
    >
      {preview ? (
        <>
          <Effects preview={preview} dueBefore={sale.amounts.total_due} name={sale.customer.name} />
          <PostForm visit={visit} action={`${base}/devolver`} class="stack">
            <input type="hidden" name="valor" value={given.valor} />
            <input type="hidden" name="motivo" value={given.motivo} />
            <Submit wide>Devolver {inReais(preview.amount)}</Submit>
            <StackLink to={`${base}/devolver`}>Mudar</StackLink>
          </PostForm>
        </>
      ) : (
        <form class="panel" action={`${base}/devolver`} method="get" noValidate>
          <MoneyField
            {...field('valor')}
            label="Quanto devolver"
            maxLength={20}
            hint={`Até ${inReais(left)}, que é o que resta desta venda.`}
          />
          <Field
            {...field('motivo')}
            label="Motivo"
            maxLength={200}
            hint="O cliente lê. Por exemplo: não serviu."
          />
          <Submit wide>Ver o que acontece</Submit>
          <p class="hint">Na próxima tela você confere antes de confirmar.</p>
        </form>
      )}
    </TillPage>
  );
};

function Effects(props: { preview: Preview; dueBefore: number; name: string }) {
  const { preview, dueBefore, name } = props;
  const { refunds, cashback, checkout, merchant, would_wait } = preview;
  const byPix = refunds.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100;
  const lessDue = Math.round((dueBefore - checkout.amounts.total_due) * 100) / 100;
  const lessOwed = Math.round((merchant.owed_before - merchant.owed_after) * 100) / 100;
  return (
    <div class="columns effects">
      <Panel id="cliente" title={name}>
        <dl class="totals">
          <Line name="Recebe de volta por PIX" value={inReais(byPix)} />
          {cashback > 0 && <Line name="Recebe como cashback" value={inReais(cashback)} />}
          <Line name="Deixa de dever" value={inReais(Math.max(0, lessDue))} />
          <Line name="Ainda deve desta compra" value={inReais(checkout.amounts.total_due)} isTotal />
        </dl>
      </Panel>
      <Panel id="loja" title="A loja">
        <dl class="totals">
          <Line name="Deixa de receber" value={inReais(lessOwed)} />
          <Line
            name={merchant.owed_after < 0 ? 'Fica devendo à Semana' : 'Fica com a receber'}
            value={inReais(Math.abs(merchant.owed_after))}
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

export const RETURN_FORMS: Record<string, Form> = {
  [RETURN_PATH]: ownForm(RETURN_PATH, async ({ api, params, idempotencyKey }, sent) => {
    const hash = params.hash!;
    const cents = readReais(sent.text('valor'));
    const to = `${HOME}/vendas/${hash}`;
    if (cents === null) return { to: `${to}/devolver` };
    const body = { amount: toReais(cents), reason: sent.text('motivo') };
    const made = await api.returnSale({ path: { hash }, body, idempotencyKey });
    const note =
      'return' in made
        ? 'A devolução espera a confirmação da Semana.'
        : `Devolução feita: ${inReais(made.amount)}. O cliente foi avisado.`;
    return told(to, note);
  }),
};
