import type { Form, MakePersonalPage } from '../server/visit.ts';
import { ACCOUNT_FORMS, ACCOUNT_PAGES } from './account.tsx';
import { AUTOPAY_FORMS, autopayPage } from './autopay.tsx';
import { CALENDAR_FORMS, calendarPage } from './calendar.tsx';
import { cashbackPage } from './cashback.tsx';
import { CREDIT_FORMS, creditPage } from './credit.tsx';
import { codePage, ENTER_FORMS, signInPage } from './enter.tsx';
import { homePage } from './home.tsx';
import { INSTALLMENT_FORMS, installmentPage } from './installment.tsx';
import { invitationsPage } from './invitations.tsx';
import { MESSAGE_FORMS, MESSAGE_PAGES } from './messages.tsx';
import { OFFER_FORMS, offerPage, offersPage } from './offers.tsx';
import { PAPERS } from './papers.ts';
import { forgottenPage, newPasswordPage, PASSWORD_FORMS } from './password.tsx';
import { PAY_FORMS, payPage } from './pay.tsx';
import { pixPage } from './pix.tsx';
import { PROFILE_FORMS, profilePage } from './profile.tsx';
import { purchasePage } from './purchase.tsx';
import { SIGN_UP_FORMS, signUpDataPage, signUpPage } from './sign-up.tsx';
import { templatesPage } from './templates.tsx';
import { CASHBACK_FORMS, useCashbackPage } from './use-cashback.tsx';

const open = (make: MakePersonalPage) => ({ make, isPrivate: false });
const own = (make: MakePersonalPage) => ({ make, isPrivate: true });

/** `isPrivate`: requires a session. */
export const PAGES: Readonly<Record<string, { make: MakePersonalPage; isPrivate: boolean }>> = {
  '/carteira': own(homePage),
  '/carteira/entrar': open(signInPage),
  '/carteira/sandbox/mensagens': open(templatesPage),
  '/carteira/entrar/codigo': open(codePage),
  '/carteira/cadastro': open(signUpPage),
  '/carteira/cadastro/dados': open(signUpDataPage),
  '/carteira/senha': open(forgottenPage),
  '/carteira/senha/nova': open(newPasswordPage),
  '/carteira/compras/:hash': own(purchasePage),
  '/carteira/compras/:hash/debito': own(autopayPage),
  '/carteira/compras/:hash/:number': own(installmentPage),
  '/carteira/compras/:hash/:number/cashback': own(useCashbackPage),
  '/carteira/compras/:hash/:number/pix/:id': own(pixPage),
  '/carteira/ofertas': own(offersPage),
  '/carteira/ofertas/:id': own(offerPage),
  '/carteira/pagar': own(payPage),
  '/carteira/calendario': own(calendarPage),
  '/carteira/cashback': own(cashbackPage),
  '/carteira/limite': own(creditPage),
  '/carteira/convites': own(invitationsPage),
  '/carteira/perfil': own(profilePage),
  ...Object.fromEntries(
    Object.entries({ ...ACCOUNT_PAGES, ...MESSAGE_PAGES, ...PAPERS }).map(([path, make]) => [
      path,
      own(make),
    ]),
  ),
};

export const FORMS: Readonly<Record<string, Form>> = {
  ...ENTER_FORMS,
  ...SIGN_UP_FORMS,
  ...PASSWORD_FORMS,
  ...INSTALLMENT_FORMS,
  ...CASHBACK_FORMS,
  ...CREDIT_FORMS,
  ...OFFER_FORMS,
  ...PAY_FORMS,
  ...AUTOPAY_FORMS,
  ...CALENDAR_FORMS,
  ...PROFILE_FORMS,
  ...ACCOUNT_FORMS,
  ...MESSAGE_FORMS,
};
