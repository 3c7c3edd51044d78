// Made by 'npm run generate' from openapi.json.
import type { Schemas } from './openapi-schemas.ts';

export interface operations {
    getSigningKeys: {
        /** The keys that count now. */
        answer: Schemas["Jwks"];
    };
    listEvents: {
        query?: {
            /** The `after` of the last answer, or the `id` of an event. Without it, from the oldest that is kept. */
            after?: string;
            /** How many, at most 100. */
            limit?: number;
            /** Only these types, separated by commas. */
            types?: string;
        };
        /** The events. */
        answer: Schemas["EventFeed"];
    };
    streamPartnerEvents: {
        /** The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
        answer: undefined;
        stream: Schemas["PartnerEvent"] | Schemas["StreamReset"];
    };
    getMediaFile: {
        path: { name: string; };
        /** The picture. */
        answer: Uint8Array;
    };
    logOutMember: {
        body: Schemas["RefreshForm"];
        /** The session is over. */
        answer: undefined;
    };
    sendMemberCode: {
        body: Schemas["PhoneForm"];
        /** A code is on its way. */
        answer: Schemas["CodeOnItsWay"];
    };
    logInMember: {
        body: Schemas["MemberCodeLogin"];
        /** Logged in. */
        answer: Schemas["MemberLogin"];
    };
    refreshMember: {
        body: Schemas["RefreshForm"];
        /** The next tokens. */
        answer: Schemas["MemberLogin"];
    };
    switchMerchant: {
        body: Schemas["SwitchForm"];
        /** Logged in there. */
        answer: Schemas["MemberLogin"];
    };
    listSales: {
        query?: {
            /** Only those in this status now. */
            status?: "open" | "overdue" | "paid";
            /**
             * Format: date
             * Only those bought on this day.
             */
            on?: string;
            /**
             * Format: date
             * Only those bought on this day or later.
             */
            from?: string;
            /**
             * Format: date
             * Only those bought on this day or before.
             */
            to?: string;
            /** Only the one with this hash. */
            hash?: string;
            /**
             * Format: text
             * Only what came of the open offer with this code.
             */
            code?: string;
            /** Only those for exactly this much. */
            amount?: number;
            /**
             * Format: text
             * Only of customers whose name, as far as you see it, has this text in it; among the newest 2000 of the period.
             */
            q?: string;
            /** Only those from offers of this member. */
            by?: string;
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of sales. */
        answer: Schemas["SalePage"];
    };
    getSale: {
        path: {
            /** The hash, as in lists. */
            hash: string;
        };
        /** The sale. */
        answer: Schemas["Sale"];
    };
    returnSale: {
        path: {
            /** The hash, as in lists. */
            hash: string;
        };
        query?: {
            /** Only says what it would do. */
            dry_run?: "true" | "false";
        };
        body: Schemas["ReturnOrder"];
        /**
         * 200: A dry run: what it would do.
         *     201: What came of it.
         *     202: It waits for the operator.
         */
        answer: Schemas["ReturnPreview"] | Schemas["MerchantReturn"] | Schemas["WaitingAnswer"];
    };
    streamMerchantEvents: {
        /** The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
        answer: undefined;
        stream: Schemas["MerchantEvent"] | Schemas["StreamReset"];
    };
    getMerchantMe: {
        /** The member and the merchant. */
        answer: Schemas["MerchantMe"];
    };
    listMembers: {
        /** The members, the oldest first. */
        answer: { data: Schemas["Member"][]; };
    };
    addMember: {
        body: Schemas["MemberForm"];
        /** The member. */
        answer: Schemas["Member"];
    };
    changeMember: {
        path: {
            /** The member. */
            id: string;
        };
        body: Schemas["MemberChange"];
        /** The member. */
        answer: Schemas["Member"];
    };
    removeMember: {
        path: {
            /** The member. */
            id: string;
        };
        /** They are out. */
        answer: undefined;
    };
    listMemberSessions: {
        path: {
            /** The member. */
            id: string;
        };
        /** The sessions. */
        answer: Schemas["MemberSessionList"];
    };
    endMemberSession: {
        path: {
            /** The member. */
            id: string;
            /** The session, as in the list. */
            session: string;
        };
        /** The session is over. */
        answer: undefined;
    };
    listOffers: {
        query?: {
            /** Only those in this status now. */
            status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: text
             * Only those that you called this.
             */
            reference?: string;
            /**
             * Format: text
             * Only the open offer with this code.
             */
            code?: string;
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of offers. */
        answer: Schemas["MerchantOfferPage"];
    };
    createOffer: {
        body: Schemas["OfferOrder"];
        /**
         * 200: There is an offer of this reference already, pending or accepted: this one.
         *     201: The offer.
         */
        answer: Schemas["MerchantOffer"];
    };
    getOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        /** The offer. */
        answer: Schemas["MerchantOffer"];
    };
    cancelOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        /** The offer, cancelled. */
        answer: Schemas["MerchantOffer"];
    };
    getOwnPayoutAccount: {
        /** The account; null where nothing is known. */
        answer: Schemas["OwnPayoutAccount"];
    };
    changeOwnPayoutAccount: {
        body: Schemas["OwnPayoutAccountForm"];
        /** The account, and the change that waits. */
        answer: Schemas["OwnPayoutAccount"];
    };
    listOwnPayouts: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
            status?: "pending" | "paid" | "failed";
        };
        /** A page of payouts. */
        answer: Schemas["PayoutPage"];
    };
    getOwnPayout: {
        path: {
            /** The payout. */
            id: string;
        };
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** The payout. */
        answer: Schemas["PayoutWithLines"];
    };
    quoteSale: {
        body: Schemas["QuoteOrder"];
        /** The quote. */
        answer: Schemas["Quote"];
    };
    listWaitingReturns: {
        query?: {
            status?: "waiting" | "made" | "refused";
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of returns. */
        answer: Schemas["WaitingReturnPage"];
    };
    listSalesByDay: {
        query?: {
            /**
             * Format: date
             * The first day, in São Paulo.
             */
            from?: string;
            /**
             * Format: date
             * The last day; today unless sent, in São Paulo.
             */
            to?: string;
        };
        /** The days. */
        answer: Schemas["SalesByDay"];
    };
    getMerchantStatement: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
            /**
             * Format: date
             * On or after this day, in São Paulo.
             */
            from?: string;
            /**
             * Format: date
             * On or before this day, in São Paulo.
             */
            to?: string;
            /** Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
            csv?: "plain" | "br";
        };
        /** A page of the statement. */
        answer: Schemas["AccountStatement"];
    };
    getMerchantSummary: {
        query?: {
            /**
             * Format: date
             * The day; today unless sent, in São Paulo.
             */
            on?: string;
        };
        /** The day. */
        answer: Schemas["MerchantSummary"];
    };
    getAgreement: {
        path: {
            /** `terms`: of use. `privacy`: what is done with personal data. */
            kind: "terms" | "privacy";
        };
        /** The text. */
        answer: Schemas["Agreement"];
    };
    listPosts: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of posts. */
        answer: Schemas["PostPage"];
    };
    getPost: {
        path: {
            /** The slug, as in lists. */
            slug: string;
        };
        /** The post, as Markdown and as HTML. */
        answer: Schemas["Post"];
    };
    listCategories: {
        /** The categories. */
        answer: Schemas["CategoryList"];
    };
    getCreditor: {
        /** The creditor. */
        answer: Schemas["Creditor"];
    };
    listFaq: {
        query?: {
            /** Only those of this topic. */
            topic?: string;
        };
        /** Questions and answers, topic by topic. */
        answer: Schemas["FaqList"];
    };
    createLead: {
        body: Schemas["LeadForm"];
        /** The lead is stored. */
        answer: Schemas["Lead"];
    };
    listMerchants: {
        query?: {
            /** Slug of a category. */
            category?: string;
            /** Text to search for. */
            q?: string;
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of merchants. */
        answer: Schemas["MerchantPage"];
    };
    getMerchant: {
        path: {
            /** The slug, as in lists. */
            slug: string;
        };
        /** The merchant. */
        answer: Schemas["Merchant"];
    };
    quotePurchase: {
        path: {
            /** The slug, as in lists. */
            slug: string;
        };
        query: {
            /** What is bought for, in reais. */
            amount: number;
            /** One a week. */
            installments: number;
        };
        /** The quote. */
        answer: Schemas["Quote"];
    };
    getOpenOffer: {
        path: {
            /** Of the link: what follows /pagar/, or of an offer to a phone its id. */
            token: string;
        };
        /** The offer. */
        answer: Schemas["PublicOffer"];
    };
    logIn: {
        body: Schemas["PasswordLogin"];
        /** Logged in. */
        answer: Schemas["Login"];
    };
    logOut: {
        body: Schemas["RefreshForm"];
        /** The session is over. */
        answer: undefined;
    };
    sendCode: {
        body: Schemas["PhoneForm"];
        /** A code is on its way. */
        answer: Schemas["CodeOnItsWay"];
    };
    logInByCode: {
        body: Schemas["CodeLogin"];
        /** Logged in. */
        answer: Schemas["Login"];
    };
    setPassword: {
        body: Schemas["NewPassword"];
        /** The password is set. */
        answer: undefined;
    };
    checkPhone: {
        body: Schemas["PhoneForm"];
        /** What the phone can do. */
        answer: Schemas["PhoneCheck"];
    };
    refresh: {
        body: Schemas["RefreshForm"];
        /** The next tokens. */
        answer: Schemas["Login"];
    };
    signUp: {
        body: Schemas["SignUpForm"];
        /** The customer, logged in. */
        answer: Schemas["Login"];
    };
    getCalendar: {
        /** The calendar. */
        answer: Schemas["WalletCalendar"];
    };
    makeCalendarFeed: {
        /** The address. It is not shown again. */
        answer: Schemas["CalendarFeed"];
    };
    endCalendarFeed: {
        /** It is ended. */
        answer: undefined;
    };
    getCashbackBalance: {
        /** The balance. */
        answer: Schemas["CashbackBalance"];
    };
    listCashbackEntries: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
            /** Only so many entries, counted from the oldest; `Link` has it. */
            up_to?: number;
        };
        /** A page of the statement. */
        answer: Schemas["CashbackLedger"];
    };
    listCheckouts: {
        query?: {
            /** Only those in this status now. */
            status?: "open" | "overdue" | "paid";
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of purchases. */
        answer: Schemas["CheckoutPage"];
    };
    getCheckout: {
        path: {
            /** The hash, as in lists. */
            hash: string;
        };
        /** The purchase. */
        answer: Schemas["Checkout"];
    };
    getAutopay: {
        path: {
            /** The purchase. */
            hash: string;
        };
        /** The authorisation. */
        answer: Schemas["Autopay"];
    };
    askAutopay: {
        path: {
            /** The purchase. */
            hash: string;
        };
        body?: Schemas["AutopayRequest"];
        /**
         * 200: There is such a code already: this one.
         *     201: The authorisation, with the code for the bank.
         */
        answer: Schemas["Autopay"];
    };
    endAutopay: {
        path: {
            /** The purchase. */
            hash: string;
        };
        /** It is ended. */
        answer: undefined;
    };
    getContract: {
        path: {
            /** The hash, as in lists. */
            hash: string;
        };
        /** The contract. */
        answer: undefined;
    };
    getCredit: {
        /** The limit. */
        answer: Schemas["WalletCredit"];
    };
    acceptCreditLimit: {
        /** The limit, which counts now. */
        answer: Schemas["WalletCredit"];
    };
    askCreditReview: {
        /**
         * 200: A person was asked already.
         *     201: A person will look at it.
         */
        answer: Schemas["CreditReviewAsked"];
    };
    changeOwnEmail: {
        body: Schemas["NewEmail"];
        /** The customer. */
        answer: Schemas["Customer"];
    };
    checkErasure: {
        /** What has to be settled first. */
        answer: Schemas["ErasureCheck"];
    };
    eraseOwnAccount: {
        body: Schemas["CodeProof"];
        /** Nothing tells who it was any more. */
        answer: undefined;
    };
    streamEvents: {
        /** The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
        answer: undefined;
        stream: Schemas["WalletEvent"] | Schemas["StreamReset"];
    };
    exportOwnData: {
        /** Everything, by table. */
        answer: Schemas["CustomerExport"];
    };
    payWithCashback: {
        path: {
            /** The installment, as in its purchase. */
            id: string;
        };
        body?: Schemas["RedemptionRequest"];
        /** What was paid, and what is left. */
        answer: Schemas["Redemption"];
    };
    listPix: {
        path: {
            /** The installment, as in the purchase. */
            id: string;
        };
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of charges. */
        answer: Schemas["PixChargePage"];
    };
    createPix: {
        path: {
            /** The installment, as in the purchase. */
            id: string;
        };
        body: Schemas["ChargeRequest"];
        /**
         * 200: There is such a charge already: this one.
         *     201: The charge, with the code to pay it.
         */
        answer: Schemas["PixCharge"];
    };
    getMe: {
        /** The customer. */
        answer: Schemas["Customer"];
    };
    listWalletMessages: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of messages. */
        answer: Schemas["WalletMessages"];
    };
    listWalletOffers: {
        query?: {
            /** Only those in this status now. */
            status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
        };
        /** A page of offers. */
        answer: Schemas["WalletOfferPage"];
    };
    getWalletOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        query?: {
            /** In fewer installments than offered, if so. */
            installments?: number;
        };
        /** The offer. */
        answer: Schemas["WalletOffer"];
    };
    acceptOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        body?: Schemas["InstallmentsChoice"];
        /** The purchase. */
        answer: Schemas["Checkout"];
    };
    declineOffer: {
        path: {
            /** The id, as in lists. */
            id: string;
        };
        /** It is declined. */
        answer: undefined;
    };
    claimOffer: {
        body: Schemas["OfferClaim"];
        /** The offer. */
        answer: Schemas["WalletOffer"];
    };
    changeOwnPhone: {
        body: Schemas["NewPhone"];
        /** Logged in with the new phone. */
        answer: Schemas["Login"];
    };
    getPhoneChange: {
        /** The change that waits. */
        answer: Schemas["OwnPhoneChange"];
    };
    cancelOwnPhoneChange: {
        /** The phone stays as it is. */
        answer: undefined;
    };
    getPix: {
        path: {
            /** The charge. */
            id: string;
        };
        /** The charge as it is now. */
        answer: Schemas["PixChargeWithRefunds"];
    };
    getReceipt: {
        path: {
            /** The charge. */
            id: string;
        };
        /** The receipt. */
        answer: undefined;
    };
    getPreferences: {
        /** The preferences. */
        answer: Schemas["Preferences"];
    };
    setPreferences: {
        /** What is left out stays as it is. */
        body: {
            /** In this order, until one takes the message. Legal notices go by the others besides. */
            channels?: ("whatsapp" | "sms" | "email" | "push")[];
            /** Whether to be reminded before the due day. Of what is due and late everybody is reminded. */
            reminders_before_due?: boolean;
            /** Whether to be told of offers of ours. */
            news?: boolean;
        };
        /** The preferences as they are now. */
        answer: Schemas["Preferences"];
    };
    getPush: {
        /** The key to subscribe with, and how many browsers have. */
        answer: {
            /** For `applicationServerKey` of PushManager; null: there is no Web Push here. */
            public_key: string | null;
            browsers: number;
        };
    };
    addPush: {
        body: {
            endpoint: string;
            expirationTime?: number | null;
            keys: {
                /** Of the browser. */
                p256dh: string;
                /** Its secret. */
                auth: string;
            };
        };
        /** It is told from now on. */
        answer: undefined;
    };
    endPush: {
        /** No browser of the customer’s is told any more. */
        answer: undefined;
    };
    getReferral: {
        query?: {
            /** Which page; the first is 1. */
            page?: number;
            /** How many to a page, at most 100. */
            limit?: number;
            /** Only so many invitations, counted from the oldest; `Link` has it. */
            up_to?: number;
        };
        /** The referral program. */
        answer: Schemas["Referral"];
    };
    listSessions: {
        /** The sessions. */
        answer: Schemas["WalletSessionList"];
    };
    endSession: {
        path: {
            /** The id, as in the list. */
            id: string;
        };
        /** The session is over. */
        answer: undefined;
    };
    getStatement: {
        path: {
            /** The year. */
            year: string;
        };
        /** The statement. */
        answer: undefined;
    };
}
