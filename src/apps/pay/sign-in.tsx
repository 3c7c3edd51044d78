import type { ComponentChildren } from 'preact';
import { memoryTokens, type Output } from '#client';
import { definePublicForm } from '../server/form.ts';
import { toFieldErrors } from '../server/problem-texts.ts';
import {
  resendCode,
  type SignInSteps,
  sendCodeAndRedirect,
  signInByCode,
  signOut,
  signUp,
} from '../server/sign-in.ts';
import type {
  CodeChallenge,
  FormHandler,
  FormOutcome,
  FormVisit,
  PersonalPageHandler,
  PersonalVisit,
} from '../server/visit.ts';
import { formatPhone, formatReais } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Logo } from '../ui/components.tsx';
import { CodeForm, CodeSentText, PostForm, ResendButton } from '../ui/forms.tsx';
import { formatInstallments } from '../ui/offer-components.tsx';
import { SignUpFields } from '../ui/sign-up-fields.tsx';
import { PayPage } from './layout.tsx';

type Offer = Output<'getOpenOffer'>;

export const PAY_ROUTE = '/pagar/:token';
const CODE_ROUTE = `${PAY_ROUTE}/codigo`;
const SIGN_UP_ROUTE = `${PAY_ROUTE}/dados`;
export const buildPayPath = ({ params }: Pick<PersonalVisit, 'params'>) => `/pagar/${params.token}`;

/** Returns the pending offer, if the visitor has requested a code and has not signed in. */
async function readPendingOffer({ api, params, user, challenge }: PersonalVisit): Promise<Offer | undefined> {
  if (user || !challenge) return undefined;
  const offer = await api.getOpenOffer({ path: { token: params.token! } });
  return offer.status === 'pending' ? offer : undefined;
}

const OfferSummary = ({ offer: { merchant, quote } }: { offer: Offer }) => (
  <div class="card offer-row">
    <Logo merchant={merchant} size={56} />
    <div>
      <b>{merchant.name}</b>
      <p class="muted">
        {formatInstallments(quote)}, total {formatReais(quote.total)}
      </p>
    </div>
  </div>
);

type Step = {
  title: string;
  heading?: string;
  explain(challenge: CodeChallenge): ComponentChildren;
  renderForm(visit: PersonalVisit, challenge: CodeChallenge): ComponentChildren | Promise<ComponentChildren>;
};

/** Creates the page of a sign-in step. It redirects to the offer if the visitor is signed in or has not requested a code. */
const createStepPage =
  ({ title, heading = title, explain, renderForm }: Step): PersonalPageHandler =>
  async (visit) => {
    const offer = await readPendingOffer(visit);
    const { challenge } = visit;
    if (!offer || !challenge) return { redirectTo: buildPayPath(visit) };
    const head = (
      <>
        <OfferSummary offer={offer} />
        <h1>{heading}</h1>
        <p class="muted">
          {explain(challenge)} <a href={buildPayPath(visit)}>Trocar o número</a>
        </p>
      </>
    );
    return (
      <PayPage title={title} wrapperClass="form-column" head={head}>
        {await renderForm(visit, challenge)}
      </PayPage>
    );
  };

export const codePage = createStepPage({
  title: 'Digite o código',
  explain: ({ phone }) => <CodeSentText phone={phone} />,
  renderForm: (visit) => (
    <CodeForm action={`${buildPayPath(visit)}/codigo`} submitText="Continuar" canResend />
  ),
});

export const signUpPage = createStepPage({
  title: 'Seus dados',
  heading: 'Só faltam os seus dados',
  explain: ({ phone }) => (
    <>
      O celular é <b>{formatPhone(phone)}</b>.
    </>
  ),
  async renderForm(visit, challenge) {
    const { version } = await visit.api.getAgreement({ path: { kind: 'terms' } });
    return (
      <>
        <PostForm action={`${buildPayPath(visit)}/dados`} class="panel">
          <SignUpFields challenge={challenge} termsVersion={version} />
          <Submit class="wide">Continuar</Submit>
          {!challenge.code && <ResendButton action={`${buildPayPath(visit)}/dados/reenviar`} />}
        </PostForm>
        <p class="hint">Você ainda não está comprando: na próxima tela, confira tudo e confirme.</p>
      </>
    );
  },
});

/** Claims the offer for the customer after the sign-in. If the claim fails, the customer stays signed in and sees the error. */
const buildSteps = (visit: FormVisit): SignInSteps => {
  const offerPath = buildPayPath(visit);
  return {
    phonePagePath: offerPath,
    codePagePath: `${offerPath}/codigo`,
    signUpPagePath: `${offerPath}/dados`,
    async onLogin(login): Promise<FormOutcome> {
      const api = visit.api.with({ tokens: memoryTokens(login) });
      try {
        await api.claimOffer({ body: { token: visit.params.token! } });
        return { redirectTo: offerPath };
      } catch (error) {
        return { redirectTo: offerPath, flash: { pagePath: offerPath, errors: toFieldErrors(error) } };
      }
    },
  };
};

export const SIGN_IN_FORMS: Record<string, FormHandler> = {
  [`${PAY_ROUTE}/celular`]: definePublicForm(PAY_ROUTE, (visit, form) =>
    sendCodeAndRedirect(visit, form, { codePagePath: `${buildPayPath(visit)}/codigo` }),
  ),
  [CODE_ROUTE]: definePublicForm(CODE_ROUTE, (visit, form) => signInByCode(visit, form, buildSteps(visit))),
  [`${CODE_ROUTE}/reenviar`]: definePublicForm(CODE_ROUTE, resendCode),
  [SIGN_UP_ROUTE]: definePublicForm(SIGN_UP_ROUTE, (visit, form) => signUp(visit, form, buildSteps(visit))),
  [`${SIGN_UP_ROUTE}/reenviar`]: definePublicForm(SIGN_UP_ROUTE, resendCode),
  [`${PAY_ROUTE}/sair`]: definePublicForm(PAY_ROUTE, (visit) => signOut(visit, buildPayPath(visit))),
};
