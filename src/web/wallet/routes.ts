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

/** For who is signed in. */
export const PAGES: Readonly<Record<string, MakePersonalPage>> = {
  '/carteira': homePage,
  '/carteira/compras/:hash': purchasePage,
  '/carteira/compras/:hash/debito': autopayPage,
  '/carteira/compras/:hash/:number': installmentPage,
  '/carteira/compras/:hash/:number/cashback': useCashbackPage,
  '/carteira/compras/:hash/:number/pix/:id': pixPage,
  '/carteira/ofertas': offersPage,
  '/carteira/ofertas/:id': offerPage,
  '/carteira/pagar': payPage,
  '/carteira/calendario': calendarPage,
  '/carteira/cashback': cashbackPage,
  '/carteira/limite': creditPage,
  '/carteira/convites': invitationsPage,
  '/carteira/perfil': profilePage,
  ...ACCOUNT_PAGES,
  ...MESSAGE_PAGES,
  ...PAPERS,
};

export const OPEN_PAGES: Readonly<Record<string, MakePersonalPage>> = {
  '/carteira/entrar': signInPage,
  '/carteira/sandbox/mensagens': templatesPage,
  '/carteira/entrar/codigo': codePage,
  '/carteira/cadastro': signUpPage,
  '/carteira/cadastro/dados': signUpDataPage,
  '/carteira/senha': forgottenPage,
  '/carteira/senha/nova': newPasswordPage,
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
