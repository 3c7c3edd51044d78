import { createPersonalApp } from '../ui/personal-app.tsx';
import { WALLET_HEAD } from '../ui/personal-layout.tsx';
import { ACCOUNT_FORMS, ACCOUNT_PAGES } from './account.tsx';
import { AUTOPAY_FORMS, autopayPage } from './autopay.tsx';
import { CALENDAR_FORMS, calendarPage } from './calendar.tsx';
import { homePage } from './home.tsx';
import { INSTALLMENT_FORMS, installmentPage } from './installment.tsx';
import { WalletPage } from './layout.tsx';
import { MESSAGE_FORMS, MESSAGE_PAGES, templatesPage } from './messages.tsx';
import { OFFER_FORMS, offerPage, offersPage, PAY_FORMS, payPage } from './offers.tsx';
import { pixPage } from './pix.tsx';
import { CREDIT_FORMS, creditPage, PROFILE_FORMS, profilePage } from './profile.tsx';
import { DOCUMENT_PAGES, purchasePage } from './purchase.tsx';
import { CASHBACK_FORMS, cashbackConfirmationPage, cashbackPage, invitationsPage } from './rewards.tsx';
import {
  codePage,
  forgotPasswordPage,
  newPasswordPage,
  PASSWORD_FORMS,
  SIGN_IN_FORMS,
  SIGN_UP_FORMS,
  signInPage,
  signUpDataPage,
  signUpPage,
} from './sign-in.tsx';

export const walletApp = createPersonalApp({
  accountKind: 'customers',
  home: '/carteira',
  signInPath: '/carteira/entrar',
  layout: WalletPage,
  notFound: {
    title: 'Página não encontrada',
    code: '404',
    heading: 'Não encontramos esta página.',
    lead: 'Ela não existe mais, ou não é desta conta.',
    links: [
      { href: '/carteira', text: 'Minha carteira' },
      { href: '/perguntas', text: 'Ajuda' },
    ],
  },
  install: {
    ...WALLET_HEAD,
    name: 'Semana',
    shortName: 'Semana',
    description: 'Compras, parcelas, PIX e cashback.',
    scope: '/',
    colors: { background: '#0a7048', bar: '#fff', paymentDay: '#ffc94d' },
    label: 'Semana, sua carteira',
  },
  privatePages: {
    '/carteira': homePage,
    '/carteira/compras/:hash': purchasePage,
    '/carteira/compras/:hash/debito': autopayPage,
    '/carteira/compras/:hash/:number': installmentPage,
    '/carteira/compras/:hash/:number/cashback': cashbackConfirmationPage,
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
    ...DOCUMENT_PAGES,
  },
  publicPages: {
    '/carteira/entrar': signInPage,
    '/carteira/sandbox/mensagens': templatesPage,
    '/carteira/entrar/codigo': codePage,
    '/carteira/cadastro': signUpPage,
    '/carteira/cadastro/dados': signUpDataPage,
    '/carteira/senha': forgotPasswordPage,
    '/carteira/senha/nova': newPasswordPage,
  },
  forms: {
    ...SIGN_IN_FORMS,
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
  },
});
