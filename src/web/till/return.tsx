import { isProblem, type Output } from '#client';
import { readReais, toReais } from '#core/money.ts';
import type { Form } from '../server/visit.ts';
import { LinkButton, Submit } from '../ui/buttons.tsx';
import { Field } from '../ui/field.tsx';
import { inReais, plainReais } from '../ui/format.ts';
import { PageHead } from '../ui/parts.tsx';
import { fieldsOf, PostForm, Said } from '../ui/personal-parts.tsx';
import { faultOf } from '../ui/words.ts';
import { HOME, TillLayout } from './layout.tsx';
import { missingPage } from './notices.tsx';
import { leftOf } from './sale.tsx';
import { type MakeTillPage, mayReturn } from './visit.ts';

const SALE = `${HOME}/vendas/:hash`;
const RETURN_PATH = `${SALE}/devolver`;

type Preview = Extract<Output<'returnSale'>, { would_wait: boolean }>;

/** First how much and why, then what it would do, then yes. */
export const returnPage: MakeTillPage = async (visit) => {
  const { api, query, flash } = visit;
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
  return {
    body: (
      <TillLayout title={preview ? 'Confirmar a devolução' : 'Devolver'} visit={visit} tab="vendas">
        <div class="wrap till">
          <PageHead
            title={preview ? `Devolver ${inReais(preview.amount)}?` : 'Devolver'}
            crumbs={[
              { href: `${HOME}/vendas`, text: 'Vendas' },
              { href: base, text: inReais(sale.amounts.financed) },
            ]}
          />
          <Said flash={flash} />
          {preview ? (
            <>
              <Effects preview={preview} dueBefore={sale.amounts.total_due} name={sale.customer.name} />
              <PostForm visit={visit} action={`${base}/devolver`} class="stack">
                <input type="hidden" name="valor" value={given.valor} />
                <input type="hidden" name="motivo" value={given.motivo} />
                <Submit wide>Devolver {inReais(preview.amount)}</Submit>
                <LinkButton to={`${base}/devolver`} quiet wide>
                  Mudar
                </LinkButton>
              </PostForm>
            </>
          ) : (
            <form class="panel" action={`${base}/devolver`} method="get" noValidate>
              <Field
                {...field('valor')}
                label="Quanto devolver"
                inputmode="decimal"
                mask="money"
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
        </div>
      </TillLayout>
    ),
  };
};

function Effects(props: { preview: Preview; dueBefore: number; name: string }) {
  const { preview, dueBefore, name } = props;
  const { refunds, cashback, checkout, merchant, would_wait } = preview;
  const byPix = refunds.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100;
  const lessDue = Math.round((dueBefore - checkout.amounts.total_due) * 100) / 100;
  const lessOwed = Math.round((merchant.owed_before - merchant.owed_after) * 100) / 100;
  return (
    <div class="columns effects">
      <section class="panel" aria-labelledby="cliente">
        <h2 class="panel-title" id="cliente">
          {name}
        </h2>
        <dl class="totals">
          <Row name="Recebe de volta por PIX" value={byPix} />
          {cashback > 0 && <Row name="Recebe como cashback" value={cashback} />}
          <Row name="Deixa de dever" value={Math.max(0, lessDue)} />
          <div class="total">
            <dt>Ainda deve desta compra</dt>
            <dd>{inReais(checkout.amounts.total_due)}</dd>
          </div>
        </dl>
      </section>
      <section class="panel" aria-labelledby="loja">
        <h2 class="panel-title" id="loja">
          A loja
        </h2>
        <dl class="totals">
          <Row name="Deixa de receber" value={lessOwed} />
          <div class="total">
            <dt>{merchant.owed_after < 0 ? 'Fica devendo à Semana' : 'Fica com a receber'}</dt>
            <dd>{inReais(Math.abs(merchant.owed_after))}</dd>
          </div>
        </dl>
      </section>
      {would_wait && (
        <p class="note warn">
          Com esta devolução a loja ficaria devendo demais: ela espera até que a Semana confirme.
        </p>
      )}
    </div>
  );
}

const Row = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{inReais(value)}</dd>
  </div>
);

const giveBack: Form = {
  page: RETURN_PATH,
  isPrivate: true,
  async act({ api, params, idempotencyKey }, sent) {
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
    return { to, flash: { page: to, note } };
  },
};

export const RETURN_FORMS: Record<string, Form> = { [RETURN_PATH]: giveBack };
