import type { components } from '#client';
import { isProblem } from '#client';
import { ownForm, told } from '../server/form.ts';
import type { Form, MakePersonalPage, PersonalVisit } from '../server/visit.ts';
import { inReais, lastMinute, shortDay } from '../text/format.ts';
import { LinkButton } from '../ui/buttons.tsx';
import { Bolt, Check, Clock } from '../ui/icons.tsx';
import { Line, Panel } from '../ui/parts.tsx';
import { ButtonForm, PostForm, watched } from '../ui/personal-parts.tsx';
import { WalletPage } from './layout.tsx';
import { type Checkout, type Installment, nextOf } from './parts.tsx';

type Autopay = components['schemas']['Autopay'];

const AUTOPAY_PATH = '/carteira/compras/:hash/debito';
const addressOf = (hash: string) => `/carteira/compras/${hash}/debito`;
const REFRESH_SECONDS = 10;

/** On the page of a purchase: offered, waiting, or on, with what is debited next and the way out. */
export function AutopayPanel({ visit, checkout }: { visit: PersonalVisit; checkout: Checkout }) {
  const { hash, status, autopay, installments } = checkout;
  if (status === 'paid') return null;
  const next = nextOf(installments.filter((installment) => installment.status === 'open'));
  return (
    <Panel
      id="debito"
      title={
        <>
          <Bolt /> Débito automático
        </>
      }
      class="panel autopay"
    >
      {autopay?.status === 'active' ? (
        <>
          <p>
            <span class="status open">Ligado</span>
          </p>
          <p>
            {next
              ? `A ${next.number}ª parcela, de ${inReais(next.outstanding)}, será debitada ${shortDay(next.effective_due_on)}. Você não precisa fazer nada.`
              : 'Não há parcela a debitar. O que está atrasado é pago por código.'}
          </p>
          <ButtonForm visit={visit} action={`${addressOf(hash)}/desligar`} text="Desligar" quiet />
        </>
      ) : autopay?.status === 'pending' ? (
        <>
          <p>O código para autorizar no seu banco está pronto.</p>
          <LinkButton to={addressOf(hash)}>Ver o código</LinkButton>
        </>
      ) : (
        <>
          <p>
            Autorize uma vez no aplicativo do seu banco, e cada parcela é paga sozinha no dia. Dá para
            desligar quando quiser, aqui ou no banco.
          </p>
          <PostForm visit={visit} action={`${addressOf(hash)}/ligar`}>
            <p class="actions">
              {next && (
                <button class="button" type="submit" name="primeira" value="sim">
                  Pagar a {next.number}ª parcela e ligar
                </button>
              )}
              <button class="button quiet" type="submit" name="primeira" value="nao">
                Só ligar
              </button>
            </p>
          </PostForm>
        </>
      )}
    </Panel>
  );
}

export const autopayPage: MakePersonalPage = async (visit) => {
  const { api, params } = visit;
  const path = { hash: params.hash! };
  // Read first: if it is on, the purchase read after it shows what is debited.
  const autopay = await api.getAutopay({ path });
  const checkout = await api.getCheckout({ path });
  const isPending = autopay.status === 'pending';
  return (
    <WalletPage
      title="Débito automático"
      visit={visit}
      tab="inicio"
      refreshSeconds={isPending ? REFRESH_SECONDS : undefined}
      crumbs={[{ href: `/carteira/compras/${checkout.hash}`, text: checkout.merchant.name }]}
      wrap="pix-wrap"
    >
      <div {...watched('pix', autopay.status, isPending && '/carteira/eventos')}>
        {isPending ? (
          <Waiting visit={visit} autopay={autopay} checkout={checkout} />
        ) : (
          <Answered autopay={autopay} checkout={checkout} />
        )}
      </div>
    </WalletPage>
  );
};

function Waiting(props: { visit: PersonalVisit; autopay: Autopay; checkout: Checkout }) {
  const { visit, autopay, checkout } = props;
  const { br_code, qr_code, expires_at, first } = autopay;
  const open = checkout.installments.filter(({ status }) => status !== 'paid');
  return (
    <div class="panel pix">
      <p class="lead">
        {first
          ? `Um código só: paga a ${open[0]?.number ?? 1}ª parcela e autoriza as seguintes.`
          : 'Este código só autoriza: nada é pago agora.'}
      </p>
      <button class="button wide" type="button" data-copy="brcode" hidden>
        Copiar código
      </button>
      <div class="field">
        <label for="brcode">Código para o banco</label>
        <input id="brcode" readOnly value={br_code} />
      </div>
      <ol class="plain-steps">
        <li>Abra o aplicativo do seu banco e escolha PIX.</li>
        <li>Cole o código copiado ou aponte a câmera para o QR code.</li>
        <li>Confirme a autorização. Esta página se atualiza sozinha.</li>
      </ol>
      <img class="qr" src={qr_code} alt="QR code desta autorização" />
      <p class="waiting">
        <Clock />
        <span>Aguardando o seu banco. O código vale até {lastMinute(expires_at)}.</span>
      </p>
      <Debits installments={first ? open.slice(1) : open} />
      {visit.bar && (
        <PostForm visit={visit} action="/carteira/sandbox/autorizar">
          <input type="hidden" name="volta" value={visit.path} />
          <input type="hidden" name="compra" value={checkout.hash} />
          <p class="hint">No sandbox, você também é o banco:</p>
          <button class="button sun" type="submit">
            Autorizar como o banco
          </button>
        </PostForm>
      )}
    </div>
  );
}

/** Not the one that the code itself has paid, whose money may be on its way. */
const debited = ({ installments, installments_paid }: Checkout, first: boolean): Installment[] =>
  installments.filter(({ status }) => status === 'open').slice(first && installments_paid === 0 ? 1 : 0);

const Debits = ({ installments }: { installments: Installment[] }) => (
  <dl class="totals">
    {installments.map(({ number, effective_due_on, outstanding }) => (
      <Line
        key={number}
        name={`${number}ª parcela, ${shortDay(effective_due_on)}`}
        value={inReais(outstanding)}
      />
    ))}
  </dl>
);

const OVER: Record<Exclude<Autopay['status'], 'pending' | 'active'>, string> = {
  rejected: 'A autorização foi recusada no seu banco. Nada será debitado.',
  expired: 'O código venceu antes de o seu banco responder. Nada será debitado.',
  ended: 'O débito automático está desligado. As parcelas são pagas por código.',
};

function Answered({ autopay: { status, first }, checkout }: { autopay: Autopay; checkout: Checkout }) {
  const back = (
    <p class="actions">
      <LinkButton to={`/carteira/compras/${checkout.hash}`}>Ver a compra</LinkButton>
    </p>
  );
  if (status !== 'active' && status !== 'pending')
    return (
      <div class="panel pix-closed">
        <h2>{OVER[status]}</h2>
        {back}
      </div>
    );
  return (
    <>
      <div class="panel pix-done">
        <span class="done-mark">
          <Check />
        </span>
        <h2>Débito automático ligado.</h2>
        <p class="lead">Seu banco paga cada parcela no dia. Avisamos se algo der errado.</p>
        {back}
      </div>
      <Panel id="debitos" title="O que será debitado">
        <Debits installments={debited(checkout, first)} />
      </Panel>
    </>
  );
}

const WHY_NOT: Record<string, string> = {
  nothing_to_debit: 'Nenhuma parcela desta compra pode mais ser debitada: pague por código.',
  autopay_active: 'O débito automático desta compra já está ligado.',
  autopay_unavailable: 'O débito automático não está disponível agora.',
};

export const AUTOPAY_FORMS: Record<string, Form> = {
  [`${AUTOPAY_PATH}/ligar`]: ownForm(
    '/carteira/compras/:hash',
    async ({ api, params, page, idempotencyKey }, sent) => {
      try {
        await api.askAutopay({
          idempotencyKey,
          path: { hash: params.hash! },
          body: { first: sent.text('primeira') === 'sim' },
        });
        return { to: addressOf(params.hash!) };
      } catch (error) {
        if (!isProblem(error, 'nothing_to_debit', 'autopay_active', 'autopay_unavailable')) throw error;
        return told(page, WHY_NOT[error.code]!);
      }
    },
  ),
  [`${AUTOPAY_PATH}/desligar`]: ownForm('/carteira/compras/:hash', async ({ api, params, page }) => {
    await api.endAutopay({ path: { hash: params.hash! } });
    return told(page, 'Débito automático desligado. As parcelas são pagas por código.');
  }),
};
