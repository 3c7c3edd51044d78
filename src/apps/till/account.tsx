import { isProblem } from '#client';
import { collectErrors, defineSessionForm, redirectWithNote, redisplayForm } from '../server/form.ts';
import { findChangeChallenge, readCode, redisplayWithError, sendChangeCode } from '../server/sign-in.ts';
import type { CodeChallenge, FormHandler } from '../server/visit.ts';
import { formatPhone, formatShortTime } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Fold, Line, PageHead, Panel } from '../ui/components.tsx';
import { CodeForm, Field, PostForm } from '../ui/forms.tsx';
import { TillPage, type TillPageHandler } from './layout.tsx';
import { ACCOUNT_PATH, MONEY_PATH } from './money.tsx';

const CODE_PATH = `${ACCOUNT_PATH}/codigo`;
const CRUMBS = [{ href: MONEY_PATH, text: 'Dinheiro' }];
const FIELDS = ['pix_key', 'holder_name', 'tax_id'] as const;

type Account = NonNullable<NonNullable<CodeChallenge['pendingChange']>['payoutAccount']>;

const NOT_PROVIDED = 'ainda não informado';

const AccountDetails = ({ account }: { account: { [K in keyof Account]: string | null } }) => (
  <dl class="totals">
    <Line name="Chave PIX" value={account.pix_key ?? NOT_PROVIDED} />
    <Line name="Titular" value={account.holder_name ?? NOT_PROVIDED} />
    <Line name="CNPJ ou CPF" value={account.tax_id ?? NOT_PROVIDED} />
  </dl>
);

export const accountPage: TillPageHandler = async (visit) => {
  const account = await visit.api.getOwnPayoutAccount();
  return (
    <TillPage title="Conta da loja" tab="dinheiro" crumbs={CRUMBS}>
      <Panel id="agora" title="Onde a loja recebe">
        <AccountDetails account={account} />
      </Panel>
      {account.change && (
        <Panel
          id="depois"
          title={`A partir de ${formatShortTime(account.change.counts_at)}`}
          class="panel care after-lines"
        >
          <AccountDetails account={account.change} />
          <p class="hint">
            Até lá vale a conta de cima. Não foi ninguém da loja? Escreva a conta de cima de novo, e fale com
            a Semana.
          </p>
        </Panel>
      )}
      <Fold
        title="Trocar a conta"
        note="Vale depois de 24 horas. Todos os responsáveis são avisados."
        class="after-lines"
        isOpen={visit.flash?.errors !== undefined}
      >
        <PostForm action={ACCOUNT_PATH}>
          <Field name="pix_key" label="Chave PIX" autocomplete="off" maxLength={77} />
          <Field name="holder_name" label="Titular da conta" autocomplete="off" maxLength={200} />
          <Field
            name="tax_id"
            label="CNPJ ou CPF do titular"
            inputmode="numeric"
            autocomplete="off"
            maxLength={18}
          />
          <Submit class="wide">Receber um código para confirmar</Submit>
        </PostForm>
      </Fold>
    </TillPage>
  );
};

export const accountCodePage: TillPageHandler = async (visit) => {
  const challenge = findChangeChallenge(visit);
  if (!challenge?.pendingChange?.payoutAccount) return { redirectTo: ACCOUNT_PATH };
  return (
    <TillPage
      title="Confirmar a conta"
      tab="dinheiro"
      head={
        <>
          <PageHead
            title="Confirmar a conta"
            crumbs={[...CRUMBS, { href: ACCOUNT_PATH, text: 'Conta da loja' }]}
          />
          <p class="muted">
            Enviamos um código para <b>{formatPhone(challenge.phone)}</b>. Ele vale por 5 minutos.
          </p>
        </>
      }
    >
      <CodeForm action={CODE_PATH} submitText="Trocar a conta">
        <AccountDetails account={challenge.pendingChange.payoutAccount} />
      </CodeForm>
    </TillPage>
  );
};

export const ACCOUNT_FORMS: Record<string, FormHandler> = {
  [ACCOUNT_PATH]: defineSessionForm(ACCOUNT_PATH, async (visit, form) => {
    const account: Account = {
      pix_key: form.readText('pix_key'),
      holder_name: form.readText('holder_name'),
      tax_id: form.readText('tax_id'),
    };
    const errors = collectErrors(
      Object.fromEntries(FIELDS.map((name) => [name, !account[name] && 'Falta preencher.'])),
    );
    if (errors) return redisplayForm(visit, form, errors);
    return { redirectTo: CODE_PATH, challenge: await sendChangeCode(visit, { payoutAccount: account }) };
  }),
  [CODE_PATH]: defineSessionForm(CODE_PATH, async (visit, form) => {
    const challenge = findChangeChallenge(visit);
    if (!challenge?.pendingChange?.payoutAccount) return { redirectTo: ACCOUNT_PATH };
    const { payoutAccount } = challenge.pendingChange;
    try {
      const { change } = await visit.api.changeOwnPayoutAccount({
        body: { ...payoutAccount, challenge_id: challenge.challengeId, code: readCode(form) },
      });
      const note = change
        ? `Combinado: a loja recebe na conta nova a partir de ${formatShortTime(change.counts_at)}.`
        : 'A conta continua a mesma.';
      return redirectWithNote(ACCOUNT_PATH, note);
    } catch (error) {
      // The service accepted the code and rejected the account.
      if (
        isProblem(error) &&
        error.errors.some(({ pointer }) => FIELDS.some((name) => pointer === `/${name}`))
      ) {
        const errors = Object.fromEntries(
          error.errors.map(({ pointer }) => [pointer.slice(1), FIELD_ERRORS[pointer.slice(1)] ?? 'Confira.']),
        );
        return { redirectTo: ACCOUNT_PATH, flash: { pagePath: ACCOUNT_PATH, values: payoutAccount, errors } };
      }
      return redisplayWithError(visit, form, error, challenge);
    }
  }),
};

const FIELD_ERRORS: Record<string, string> = {
  pix_key: 'Confira a chave: CNPJ, CPF, celular, e-mail ou chave aleatória, como no banco.',
  tax_id: 'Confira os números do CNPJ ou do CPF.',
};
