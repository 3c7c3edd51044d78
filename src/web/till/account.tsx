import { isProblem } from '#client';
import { again, faultsIn, ownForm, told } from '../server/form.ts';
import { ownCode, ownProof, readCode, refuseCode } from '../server/sign-in.ts';
import type { Form, Proof } from '../server/visit.ts';
import { shortTime, showPhone } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Field } from '../ui/field.tsx';
import { Line, PageHead, Panel } from '../ui/parts.tsx';
import { CodeField, fieldsOf, PostForm } from '../ui/personal-parts.tsx';
import { TillPage } from './layout.tsx';
import { ACCOUNT, MONEY } from './money.tsx';
import type { MakeTillPage } from './visit.ts';

const CODE = `${ACCOUNT}/codigo`;
const CRUMBS = [{ href: MONEY, text: 'Dinheiro' }];
const FIELDS = ['pix_key', 'holder_name', 'tax_id'] as const;

type Account = NonNullable<NonNullable<Proof['own']>['account']>;

const UNKNOWN = 'ainda não informado';

const Lines = ({ of }: { of: { [K in keyof Account]: string | null } }) => (
  <dl class="totals">
    <Line name="Chave PIX" value={of.pix_key ?? UNKNOWN} />
    <Line name="Titular" value={of.holder_name ?? UNKNOWN} />
    <Line name="CNPJ ou CPF" value={of.tax_id ?? UNKNOWN} />
  </dl>
);

export const accountPage: MakeTillPage = async (visit) => {
  const account = await visit.api.getOwnPayoutAccount();
  const field = fieldsOf(visit.flash);
  return (
    <TillPage title="Conta da loja" visit={visit} tab="dinheiro" crumbs={CRUMBS}>
      <Panel id="agora" title="Onde a loja recebe">
        <Lines of={account} />
      </Panel>
      {account.change && (
        <Panel
          id="depois"
          title={`A partir de ${shortTime(account.change.counts_at)}`}
          class="panel care after-lines"
        >
          <Lines of={account.change} />
          <p class="hint">
            Até lá vale a conta de cima. Não foi ninguém da loja? Escreva a conta de cima de novo, e fale com
            a Semana.
          </p>
        </Panel>
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
    </TillPage>
  );
};

export const accountCodePage: MakeTillPage = async (visit) => {
  const proof = ownProof(visit);
  if (!proof?.own?.account) return { to: ACCOUNT };
  return (
    <TillPage
      title="Confirmar a conta"
      visit={visit}
      tab="dinheiro"
      head={
        <>
          <PageHead
            title="Confirmar a conta"
            crumbs={[...CRUMBS, { href: ACCOUNT, text: 'Conta da loja' }]}
          />
          <p class="muted">
            Enviamos um código para <b>{showPhone(proof.phone)}</b>. Ele vale por 5 minutos.
          </p>
        </>
      }
    >
      <PostForm visit={visit} action={CODE} class="panel after-lines">
        <Lines of={proof.own.account} />
        <CodeField {...fieldsOf(visit.flash)('code')} focus />
        <Submit wide>Trocar a conta</Submit>
      </PostForm>
    </TillPage>
  );
};

export const ACCOUNT_FORMS: Record<string, Form> = {
  [ACCOUNT]: ownForm(ACCOUNT, async (visit, sent) => {
    const account: Account = {
      pix_key: sent.text('pix_key'),
      holder_name: sent.text('holder_name'),
      tax_id: sent.text('tax_id'),
    };
    const faults = faultsIn(
      Object.fromEntries(FIELDS.map((name) => [name, !account[name] && 'Falta preencher.'])),
    );
    if (faults) return again(visit, sent, faults);
    return { to: CODE, proof: await ownCode(visit, { account }) };
  }),
  [CODE]: ownForm(CODE, async (visit, sent) => {
    const proof = ownProof(visit);
    if (!proof?.own?.account) return { to: ACCOUNT };
    const { account } = proof.own;
    try {
      const { change } = await visit.api.changeOwnPayoutAccount({
        body: { ...account, challenge_id: proof.challengeId, code: readCode(sent) },
      });
      const note = change
        ? `Combinado: a loja recebe na conta nova a partir de ${shortTime(change.counts_at)}.`
        : 'A conta continua a mesma.';
      return told(ACCOUNT, note);
    } catch (error) {
      if (
        isProblem(error) &&
        error.errors.some(({ pointer }) => FIELDS.some((name) => pointer === `/${name}`))
      ) {
        const faults = Object.fromEntries(
          error.errors.map(({ pointer }) => [pointer.slice(1), WRONG[pointer.slice(1)] ?? 'Confira.']),
        );
        return { to: ACCOUNT, flash: { page: ACCOUNT, values: account, faults } };
      }
      return refuseCode(visit, sent, error, proof);
    }
  }),
};

const WRONG: Record<string, string> = {
  pix_key: 'Confira a chave: CNPJ, CPF, celular, e-mail ou chave aleatória, como no banco.',
  tax_id: 'Confira os números do CNPJ ou do CPF.',
};
