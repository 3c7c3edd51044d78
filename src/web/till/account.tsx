import { isProblem } from '#client';
import { readCode, refuseCode } from '../server/sign-in.ts';
import type { Form, PersonalVisit, Proof } from '../server/visit.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field } from '../ui/field.tsx';
import { shortTime, showPhone } from '../ui/format.ts';
import { PageHead } from '../ui/parts.tsx';
import { CodeField, fieldsOf, PostForm, Said } from '../ui/personal-parts.tsx';
import { TillLayout } from './layout.tsx';
import { ACCOUNT, MONEY } from './money.tsx';
import type { MakeTillPage } from './visit.ts';

const CODE = `${ACCOUNT}/codigo`;
const CRUMBS = [{ href: MONEY, text: 'Dinheiro' }];
const FIELDS = ['pix_key', 'holder_name', 'tax_id'] as const;

type Account = NonNullable<NonNullable<Proof['own']>['account']>;

/** A code was sent to this member to change the account. */
const ownProof = ({ proof, who }: Pick<PersonalVisit, 'proof' | 'who'>) =>
  proof?.own?.account && proof.phone === who?.phone ? { ...proof, account: proof.own.account } : undefined;

const Lines = ({ of }: { of: { [K in keyof Account]: string | null } }) => (
  <dl class="totals">
    <Line name="Chave PIX" value={of.pix_key} />
    <Line name="Titular" value={of.holder_name} />
    <Line name="CNPJ ou CPF" value={of.tax_id} />
  </dl>
);

const Line = ({ name, value }: { name: string; value: string | null }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value ?? 'ainda não informado'}</dd>
  </div>
);

export const accountPage: MakeTillPage = async (visit) => {
  const account = await visit.api.getOwnPayoutAccount();
  const field = fieldsOf(visit.flash);
  return {
    body: (
      <TillLayout title="Conta da loja" visit={visit} tab="dinheiro">
        <div class="wrap till">
          <PageHead title="Conta da loja" crumbs={CRUMBS} />
          <Said flash={visit.flash} />
          <section class="panel" aria-labelledby="agora">
            <h2 class="panel-title" id="agora">
              Onde a loja recebe
            </h2>
            <Lines of={account} />
          </section>
          {account.change && (
            <section class="panel care after-lines" aria-labelledby="depois">
              <h2 class="panel-title" id="depois">
                A partir de {shortTime(account.change.counts_at)}
              </h2>
              <Lines of={account.change} />
              <p class="hint">
                Até lá vale a conta de cima. Não foi ninguém da loja? Escreva a conta de cima de novo, e fale
                com a Semana.
              </p>
            </section>
          )}
          <details class="choice fold after-lines" open={visit.flash?.faults !== undefined}>
            <summary>
              <span>
                <b>Trocar a conta</b>
                <small>Vale depois de 24 horas. Todos os responsáveis são avisados.</small>
              </span>
            </summary>
            <PostForm visit={visit} action={ACCOUNT}>
              <Field {...field('pix_key')} label="Chave PIX" autocomplete="off" maxLength={77} />
              <Field {...field('holder_name')} label="Titular da conta" autocomplete="off" maxLength={200} />
              <Field
                {...field('tax_id')}
                label="CNPJ ou CPF do titular"
                inputmode="numeric"
                autocomplete="off"
                maxLength={18}
              />
              <Submit wide>Receber um código para confirmar</Submit>
            </PostForm>
          </details>
        </div>
      </TillLayout>
    ),
  };
};

export const accountCodePage: MakeTillPage = async (visit) => {
  const proof = ownProof(visit);
  if (!proof) return { to: ACCOUNT };
  return {
    body: (
      <TillLayout title="Confirmar a conta" visit={visit} tab="dinheiro">
        <div class="wrap till">
          <PageHead
            title="Confirmar a conta"
            crumbs={[...CRUMBS, { href: ACCOUNT, text: 'Conta da loja' }]}
          />
          <p class="muted">
            Enviamos um código para <b>{showPhone(proof.phone)}</b>. Ele vale por 5 minutos.
          </p>
          <Said flash={visit.flash} />
          <PostForm visit={visit} action={CODE} class="panel after-lines">
            <Lines of={proof.account} />
            <CodeField {...fieldsOf(visit.flash)('code')} focus />
            <Submit wide>Trocar a conta</Submit>
          </PostForm>
        </div>
      </TillLayout>
    ),
  };
};

const form = (page: string, act: Form['act']): Form => ({ page, isPrivate: true, act });

export const ACCOUNT_FORMS: Record<string, Form> = {
  [ACCOUNT]: form(ACCOUNT, async ({ api, people, who, page, proof }, sent) => {
    const faults = Object.fromEntries(
      FIELDS.filter((name) => !sent.text(name)).map((name) => [name, 'Falta preencher.']),
    );
    if (Object.keys(faults).length > 0) return { to: page, flash: { page, values: sent.values(), faults } };
    const account: Account = {
      pix_key: sent.text('pix_key'),
      holder_name: sent.text('holder_name'),
      tax_id: sent.text('tax_id'),
    };
    const { phone } = who!;
    let challengeId = proof?.phone === phone ? proof.challengeId : undefined;
    try {
      challengeId = (await people.sendCode(api, phone)).challenge_id;
    } catch (error) {
      // The code sent before is still valid.
      if (!isProblem(error, 'otp_too_soon') || !challengeId) throw error;
    }
    return { to: CODE, proof: { phone, challengeId, own: { account } } };
  }),
  [CODE]: form(CODE, async (visit, sent) => {
    const { api, page } = visit;
    const proof = ownProof(visit);
    if (!proof) return { to: ACCOUNT };
    try {
      const { change } = await api.changeOwnPayoutAccount({
        body: { ...proof.account, challenge_id: proof.challengeId, code: readCode(sent) },
      });
      const note = change
        ? `Combinado: a loja recebe na conta nova a partir de ${shortTime(change.counts_at)}.`
        : 'A conta continua a mesma.';
      return { to: ACCOUNT, flash: { page: ACCOUNT, note } };
    } catch (error) {
      if (
        isProblem(error) &&
        error.errors.some(({ pointer }) => FIELDS.some((name) => pointer === `/${name}`))
      ) {
        const faults = Object.fromEntries(
          error.errors.map(({ pointer }) => [pointer.slice(1), WRONG[pointer.slice(1)] ?? 'Confira.']),
        );
        return { to: ACCOUNT, flash: { page: ACCOUNT, values: proof.account, faults } };
      }
      const { faults, proof: after } = refuseCode(error, proof);
      return { to: page, proof: after, flash: { page, values: sent.values(), faults } };
    }
  }),
};

const WRONG: Record<string, string> = {
  pix_key: 'Confira a chave: CNPJ, CPF, celular, e-mail ou chave aleatória, como no banco.',
  tax_id: 'Confira os números do CNPJ ou do CPF.',
};
