// Made by 'npm run generate' from openapi.json.
export interface Schemas {
    AccountLine: Schemas["PayoutLine"] & {
        /** The payout it went into; null while it is still to be settled. */
        settled_by: string | null;
        /** What the merchant was owed after it, due or not, in reais. */
        balance_after: number;
    };
    AccountStatement: { data: Schemas["AccountLine"][]; pagination: Schemas["Pagination"]; };
    /** As agreed with the purchase; they never change. */
    AgreedTerms: Schemas["Terms"] & {
        /** SHA-256 of the contract, as hex; null while there is none. */
        contract_sha256: string | null;
    };
    Agreement: {
        /** `terms`: of use. `privacy`: what is done with personal data. */
        kind: "terms" | "privacy";
        version: string;
        sections: {
            title: string;
            /** Plain text; a blank line begins a paragraph. */
            text: string;
        }[];
    };
    Amounts: {
        /** What was bought for, in reais. */
        financed: number;
        /** What was paid of the installments, penalties and fees not counted, in reais. */
        paid: number;
        /** What the installments come to less since something was returned, in reais. */
        returned: number;
        /** What is still to be paid of the installments, in reais. */
        outstanding: number;
        /** Fines and interest as of now, in reais. */
        penalties: number;
        /** Outstanding and penalties, in reais. */
        total_due: number;
    };
    Autopay: {
        id: string;
        /** `pending`: waits for the payer. `active`: installments are debited. `rejected` by the payer; `expired` before the payer answered; `ended` since. */
        status: "pending" | "active" | "rejected" | "expired" | "ended";
        /** The code to copy and paste into the app of a bank, which asks to authorise. */
        br_code: string;
        /** The same code to scan: a PNG in a data URI. */
        qr_code: string;
        /**
         * Format: date-time
         * Until when the code can be used.
         */
        expires_at: string;
        /** The code also pays the first open installment. */
        first: boolean;
        /**
         * Who ended it: the customer here, the payer in the app of the bank, a bank, or this service, as when all is paid.
         * @enum {string|null}
         */
        ended_by: "customer" | "payer" | "bank" | "service" | null;
        /** Why it ended: a code of the Pix network, or a word of ours. */
        reason: string | null;
        /** Format: date-time */
        created_at: string;
    };
    AutopayActivatedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "autopay.activated";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A customer has authorised that the installments of a purchase are debited. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The authorisation. */
            autopay_id: string;
            /**
             * Format: date-time
             * When.
             */
            activated_at: string;
        };
    };
    AutopayEndedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "autopay.ended";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** The installments of a purchase are debited no more, or will not be: the authorisation has ended, was rejected, or was not given in time. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The authorisation. */
            autopay_id: string;
            status: "ended" | "rejected" | "expired";
            /**
             * Who ended it: the customer here, the payer in the app of the bank, a bank, or this service, as when all is paid.
             * @enum {string|null}
             */
            by: "customer" | "payer" | "bank" | "service" | null;
            /** Why: a code of the Pix network, or a word of ours. */
            reason: string | null;
            /**
             * Format: date-time
             * When.
             */
            ended_at: string;
        };
    };
    AutopayFailedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "autopay.failed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** The bank did not debit an installment on its day. Told once when it is tried again later, and once when it is not. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The authorisation. */
            autopay_id: string;
            /** The installment. */
            installment_id: string;
            /** What was to be debited. */
            value: number;
            /** On how many days the bank tried. */
            tries: number;
            /** What the bank said, in words, in Portuguese. */
            reason: string;
            /**
             * Format: date
             * When it is tried again; null: it is to be paid by code.
             */
            retry_on: string | null;
        };
    };
    AutopayRequest: {
        /**
         * The code also pays the first open installment: paying is authorising.
         * @default false
         */
        first: boolean;
    };
    CalendarFeed: {
        /** The secret address, shown once. Whoever has it sees merchants, numbers and amounts. */
        url: string;
        /** Format: date-time */
        created_at: string;
    };
    CashbackBalance: {
        /** What the customer has now. Below zero when cashback was taken back that had been used; what is earned next fills it up, in reais. */
        available: number;
        /** What the open installments would still earn if all were paid on time, in reais. */
        pending: number;
        /** All that is available, by the day it ends, the next first. */
        expiring: {
            /** How much, in reais. */
            amount: number;
            /**
             * Format: date
             * The last day on which it counts, in São Paulo.
             */
            expires_on: string;
        }[];
        /** All that was ever earned, by paying on time and by inviting, less what was taken back, in reais. */
        lifetime_earned: number;
    };
    CashbackChangedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "cashback.changed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A customer has more or less cashback. */
        data: {
            /** The line of the statement. */
            id: string;
            kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
            /** By how much: below zero it was taken. */
            amount: number;
            /** What the customer has now. */
            balance: number;
            /** The purchase, if it is of one. */
            checkout_hash: string | null;
            /** The installment, if it is of one. */
            installment_id: string | null;
            /**
             * Format: date
             * Last day it can be used.
             */
            expires_on: string | null;
        };
    };
    CashbackEntry: {
        id: string;
        /** `earned` by paying an installment on time, `referral` for an invitation, `redeemed` to pay an installment (above zero: that was not owed after all), `expired`, `reversed`: taken back because a payment was, `adjusted` by the operator. */
        kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
        /** Above zero what came, below zero what went, in reais. */
        amount: number;
        /** What the customer had then, in reais. */
        balance_after: number;
        /** For the customer, in Portuguese. */
        description: string;
        /** The purchase it is about, if it is about one. */
        checkout_hash: string | null;
        /** The installment that earned it, or was paid with it. */
        installment_id: string | null;
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * Of what came: the last day on which it counts, in São Paulo.
         */
        expires_on: string | null;
    };
    CashbackLedger: { data: Schemas["CashbackEntry"][]; pagination: Schemas["Pagination"]; };
    Category: {
        slug: string;
        name: string;
        /** How many merchants it has. */
        merchants: number;
    };
    CategoryList: { data: Schemas["Category"][]; };
    ChargeRequest: Schemas["WholeChargeRequest"] | Schemas["PartialChargeRequest"];
    Checkout: Schemas["CheckoutItem"] & {
        /** Whether its installments are debited; null: nobody asked for it. */
        autopay: {
            /** How the authorisation of debits stands: see /wallet/checkouts/{hash}/autopay. */
            status: "pending" | "active" | "rejected" | "expired" | "ended";
        } | null;
        terms: Schemas["AgreedTerms"];
        installments: Schemas["Installment"][];
    };
    CheckoutCreatedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "checkout.created";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A customer bought something. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /**
             * Format: date-time
             * When it was bought.
             */
            purchased_at: string;
            /** What was bought for. */
            financed: number;
            /** What is to be paid in all. */
            total: number;
            /** In how many installments. */
            installments: number;
            /**
             * Format: date
             * When the first falls due.
             */
            first_due_on: string;
        };
    };
    CheckoutItem: {
        /** Identifies the purchase in addresses. */
        hash: string;
        /** `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is. */
        status: "open" | "overdue" | "paid";
        merchant: { slug: string; name: string; logo_url: string | null; };
        description: string | null;
        /** Format: date-time */
        purchased_at: string;
        amounts: Schemas["Amounts"];
        installments_total: number;
        installments_paid: number;
        /**
         * Format: date
         * The earliest due day of what is not paid.
         */
        next_due_on: string | null;
        /**
         * Format: date-time
         * When all of it was returned.
         */
        returned_at: string | null;
    };
    CheckoutOverdueEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "checkout.overdue";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** The day turned, and the purchase has become overdue. Told when its first installment does; again only if it was not overdue in between. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
        };
    };
    CheckoutPage: { data: Schemas["CheckoutItem"][]; pagination: Schemas["Pagination"]; };
    CheckoutPaidEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "checkout.paid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** All installments of a purchase are paid. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
        };
    };
    CheckoutReturnedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "checkout.returned";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** Some or all of a purchase was returned. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** What was returned now. */
            amount: number;
            /** What was returned in all. */
            returned: number;
            /** What of it goes back to the customer. */
            refunded: number;
            /** Whether nothing of the purchase is left. */
            whole: boolean;
            /**
             * Format: date-time
             * When.
             */
            returned_at: string;
        };
    };
    CodeLogin: {
        /**
         * Format: phone
         * International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
         */
        phone: string;
        /**
         * Format: text
         * What the request for the code answered.
         */
        challenge_id: string;
        /** The six digits of the message. */
        code: string;
    };
    CodeOnItsWay: {
        /** To be sent with the code. */
        challenge_id: string;
        /**
         * Format: date-time
         * The code works until then.
         */
        expires_at: string;
        /**
         * Format: date-time
         * Another can be asked for from then on.
         */
        resend_after: string;
    };
    CodeProof: {
        /**
         * Format: text
         * What the request for the code answered.
         */
        challenge_id: string;
        /** The six digits of the message. */
        code: string;
    };
    CreditDecidedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "credit.decided";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A person of the operator has answered. An offer that was approved can be accepted now. */
        data: {
            /** The decision. */
            decision_id: string;
            outcome: "approved" | "declined";
            /** The offer, if it is about one. */
            offer_id: string | null;
            /** Slug of the merchant of that offer. */
            merchant: string | null;
        };
    };
    CreditLimit_changedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "credit.limit_changed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** The credit policy or a person has changed a customer’s limit, or a higher one is offered. */
        data: {
            /** What counts now. */
            limit: number;
            /** What counts once the customer says yes. */
            offered: number | null;
        };
    };
    CreditReviewAsked: {
        id: string;
        /** Format: date-time */
        asked_at: string;
    };
    CreditReviewEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "credit.review";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A purchase, or a limit that a customer asked about, waits for a person of the operator. The offer stays pending. */
        data: {
            /** The decision. */
            decision_id: string;
            /** The offer, if it is about one. */
            offer_id: string | null;
            /** Slug of the merchant of that offer. */
            merchant: string | null;
        };
    };
    Creditor: { name: string; cnpj: string; address: string; email: string; };
    Customer: {
        id: string;
        name: string;
        phone: string;
        email: string;
        /** The taxpayer number, masked. */
        cpf: string;
        /** Format: date-time */
        created_at: string;
        credit: {
            /** How much may be owed at most, in reais. */
            limit: number;
            /** What is owed on all purchases, in reais. */
            used: number;
            /** How much can still be bought for, in reais. */
            available: number;
        };
    };
    CustomerExport: {
        customer_id: string;
        /** Format: date-time */
        exported_at: string;
        /** By table, also those that hold nothing on the customer. */
        tables: { [key: string]: Record<string, never>[]; };
    };
    CustomerRegisteredEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "customer.registered";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A customer signed up. */
        data: {
            /** The new customer. */
            customer_id: string;
            /**
             * Format: date-time
             * When.
             */
            registered_at: string;
            /** The referral code the customer came with. */
            invited_with: string | null;
        };
    };
    ErasureCheck: {
        /** What has to be settled first; empty when the customer can leave. */
        stopped_by: {
            /** What it is, for programs. */
            code: string;
            /** A sentence in Portuguese. */
            text: string;
        }[];
    };
    EventFeed: {
        /** The oldest first. */
        data: Schemas["PartnerEvent"][];
        /** Send it as `after` for what comes next, now or later. */
        after: string;
        /** Whether there may be more already. */
        has_more: boolean;
    };
    FaqEntry: {
        id: string;
        /** Lower-case word, usable as the filter `topic`. */
        topic: string;
        question: string;
        answer: string;
    };
    FaqList: { data: Schemas["FaqEntry"][]; };
    Installment: {
        id: string;
        number: number;
        /**
         * Format: date
         * The due day, extensions included, in São Paulo.
         */
        due_on: string;
        /**
         * Format: date
         * The next bank business day: until then nothing is late, in São Paulo.
         */
        effective_due_on: string;
        /** `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is. */
        status: "open" | "overdue" | "paid";
        /** As agreed, in reais. */
        amount: number;
        /** What was paid of the amount, in reais. */
        paid: number;
        /** What was given back for paying early, in reais. */
        discount: number;
        /** What it comes to less since something was returned; by rounding the last one may come to some centavos more, in reais. */
        returned: number;
        /** What is left of the amount, in reais. */
        outstanding: number;
        penalty: {
            /** Fine not paid yet, in reais. */
            fine: number;
            /** Interest not paid yet, in reais. */
            interest: number;
            /** Both, in reais. */
            total: number;
            /** Days since the effective due day. */
            days_late: number;
        };
        /** What was paid on top of the amount, less what went back. */
        charges_paid: {
            /** Fine, in reais. */
            fine: number;
            /** Interest, in reais. */
            interest: number;
            /** Price of extensions, in reais. */
            extension_fee: number;
        };
        /** Outstanding and penalty, in reais. */
        total_due: number;
        /** Format: date-time */
        paid_at: string | null;
        /** How often it was extended. */
        extensions: number;
        /** What it earns if it is settled by its effective due day: nothing on what was returned or paid with cashback. 0 once it is paid or late, in reais. */
        cashback_if_on_time: number;
        /** What can be generated now, and for how much. */
        pix_options: ({
            type: "settle" | "settle_with_penalty";
            /** What it costs now, in reais. */
            value: number;
        } | {
            type: "settle_partial";
            /** The least, in reais. */
            min: number;
            /** The most, which settles it, in reais. */
            max: number;
        } | {
            type: "extend";
            /** What it costs now, in reais. */
            value: number;
            /**
             * Format: date
             * The due day if it is paid today, in São Paulo.
             */
            due_on: string;
        })[];
        /** Its debit, if one was asked for. */
        autopay: {
            /** `scheduled`: the bank debits it on that day. `trying`: it refused, and tries again on that day. `failed`: it is to be paid by code. */
            status: "scheduled" | "trying" | "paid" | "failed";
            /**
             * Format: date
             * When it is debited, or was last, in São Paulo.
             */
            on: string;
            /** On how many days the bank tried. */
            tries: number;
            /** What the bank said last, in words for the customer, in Portuguese. */
            reason: string | null;
        } | null;
    };
    InstallmentExtendedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "installment.extended";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** An installment falls due on another day: an extension was paid, or taken back. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** Which of the purchase, from 1. */
            number: number;
            /**
             * Format: date
             * When it falls due now.
             */
            due_on: string;
            /** How often it was extended. */
            extensions: number;
        };
    };
    InstallmentOverdueEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "installment.overdue";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** The day turned, and something is still owed on an installment whose effective due day is past. Told once for each due day. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** Which of the purchase, from 1. */
            number: number;
            /** How many installments the purchase has. */
            installments_total: number;
            /** Where it was bought. */
            merchant_name: string;
            /**
             * Format: date
             * When it fell due.
             */
            due_on: string;
            /**
             * Format: date
             * The business day until which it could be paid in time.
             */
            effective_due_on: string;
            /** What is owed of the installment, without fine and interest. */
            outstanding: number;
        };
    };
    InstallmentOverpaidEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "installment.overpaid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** Something was paid on an installment that was not owed after all, and cannot go back by Pix: cashback, or what is older than 90 days, or what the payment provider refuses to refund for its age. It is cashback from now on. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** Which of the purchase, from 1. */
            number: number;
            /** How many installments the purchase has. */
            installments_total: number;
            /** Where it was bought. */
            merchant_name: string;
            /** What becomes cashback. Below zero: what is cashback no more, since the payment was taken back. */
            amount: number;
        };
    };
    InstallmentPaidEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "installment.paid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** An installment was settled. Told again when it turns out that it was settled at another time, or with less cashback, and when something was returned. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** Which of the purchase, from 1. */
            number: number;
            /** How many installments the purchase has. */
            installments_total: number;
            /** Where it was bought. */
            merchant_name: string;
            /** What was agreed. */
            amount: number;
            /** What of it was given back for paying early. */
            discount: number;
            /** What it comes to less since something was returned. */
            returned: number;
            /** What of it was taken off with cashback, which earns none. */
            paid_with_cashback: number;
            /**
             * Format: date-time
             * When it was settled.
             */
            paid_at: string;
            /** On or before the effective due day. */
            on_time: boolean;
            /** What the purchase earns of what is paid on time. */
            cashback_percent: number;
        };
    };
    InstallmentPayment_changedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "installment.payment_changed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** Something was paid on an installment without settling it, or what had been paid was taken back or went back. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** Which of the purchase, from 1. */
            number: number;
            /** What is paid of the amount now, without fine, interest and fees. */
            paid: number;
            /** What is left of the amount. */
            outstanding: number;
        };
    };
    InstallmentReopenedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "installment.reopened";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** What had settled an installment was taken back: that is owed again. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment. */
            installment_id: string;
            /** Which of the purchase, from 1. */
            number: number;
            /** How many installments the purchase has. */
            installments_total: number;
            /** Where it was bought. */
            merchant_name: string;
            /** What is owed again. */
            outstanding: number;
            /**
             * Format: date
             * When it falls or fell due.
             */
            due_on: string;
        };
    };
    InstallmentsChoice: {
        /** In fewer installments than offered, if so. */
        installments?: number;
    };
    Jwks: { keys: { kty: string; crv: string; x: string; kid: string; alg: string; use: string; }[]; };
    Lead: {
        id: string;
        kind: string;
        /** Format: date-time */
        received_at: string;
    };
    LeadForm: {
        /** Which form it is, a lower-case word of your choice, e.g. `partner`. */
        kind: string;
        /** Format: text */
        name: string;
        /** Format: email */
        email: string;
        /**
         * Format: phone
         * International format (E.164), e.g. +5511987654321, or as people in Brazil write it.
         */
        phone?: string;
        /** Format: text */
        company?: string;
        /** Format: text */
        message?: string;
    } | {
        /** Which form it is, a lower-case word of your choice, e.g. `partner`. */
        kind: string;
        /** Format: text */
        name: string;
        /** Format: email */
        email?: string;
        /**
         * Format: phone
         * International format (E.164), e.g. +5511987654321, or as people in Brazil write it.
         */
        phone: string;
        /** Format: text */
        company?: string;
        /** Format: text */
        message?: string;
    };
    LeadReceivedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "lead.received";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** Somebody sent a form. */
        data: {
            /** The lead. */
            id: string;
            /** Which form. */
            kind: string;
            /**
             * Format: date-time
             * When it came.
             */
            received_at: string;
        };
    };
    Login: {
        /** To be sent as x-token: a JWT that works for 15 minutes. */
        token: string;
        /** Format: date-time */
        expires_at: string;
        /** Gets the next token, once. */
        refresh_token: string;
        /** Format: date-time */
        refresh_expires_at: string;
        customer: Schemas["Customer"];
    };
    Member: {
        /** The member. */
        id: string;
        name: string;
        phone: string;
        /** `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant. */
        role: "clerk" | "owner";
        /** A clerk’s offers are for no more, in reais; null: no bound. It does not bind an owner. */
        max_amount: number | null;
        /** Whether a clerk may take goods back. An owner always may. */
        may_return: boolean;
        status: "active" | "removed";
        /** Format: date-time */
        created_at: string;
    };
    MemberChange: {
        /** Format: text */
        name?: string;
        /** `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant. */
        role?: "clerk" | "owner";
        /** A clerk’s offers are for no more, in reais; null: no bound. It does not bind an owner. */
        max_amount?: number | null;
        /** Whether a clerk may take goods back. An owner always may. */
        may_return?: boolean;
    };
    MemberCodeLogin: {
        /**
         * Format: phone
         * International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
         */
        phone: string;
        /**
         * Format: text
         * What the request for the code answered.
         */
        challenge_id: string;
        /** The six digits of the message. */
        code: string;
        /** For which merchant, where the phone is a member of several; else the first. */
        merchant?: string;
    };
    MemberForm: {
        /** Format: text */
        name: string;
        /**
         * Format: phone
         * International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
         */
        phone: string;
        /** `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant. */
        role: "clerk" | "owner";
        /** A clerk’s offers are for no more, in reais; null: no bound. It does not bind an owner. */
        max_amount?: number | null;
        /** Whether a clerk may take goods back. An owner always may. */
        may_return?: boolean;
    };
    MemberLogin: {
        /** To be sent as x-token: a JWT that works for 15 minutes. */
        token: string;
        /** Format: date-time */
        expires_at: string;
        /** Gets the next token, once. */
        refresh_token: string;
        /** Format: date-time */
        refresh_expires_at: string;
        member: Schemas["Member"];
        /** For which merchant they act. */
        merchant: { slug: string; name: string; };
        /** All of which they are a member. */
        merchants: {
            slug: string;
            name: string;
            /** `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant. */
            role: "clerk" | "owner";
        }[];
    };
    MemberSession: {
        id: string;
        /** Whether it is the one this was asked with. */
        is_current: boolean;
        /**
         * Format: date-time
         * When they signed in.
         */
        created_at: string;
        /**
         * Format: date-time
         * When its tokens were last exchanged.
         */
        refreshed_at: string;
    };
    MemberSessionList: { data: Schemas["MemberSession"][]; };
    Merchant: {
        /** Identifies the merchant in addresses. */
        slug: string;
        name: string;
        category: { slug: string; name: string; };
        description: string | null;
        /** Address of a square image. */
        logo_url: string | null;
        city: string | null;
        /** Two letters, e.g. SP. */
        state: string | null;
        website: string | null;
        /** Share of each installment paid on time that comes back to the customer. */
        cashback_percent: number;
    };
    /** Something that happened to the merchant. `type` says what `data` is. */
    MerchantEvent: Schemas["CheckoutCreatedEvent"] | Schemas["CheckoutPaidEvent"] | Schemas["CheckoutOverdueEvent"] | Schemas["CheckoutReturnedEvent"] | Schemas["InstallmentPaidEvent"] | Schemas["InstallmentOverdueEvent"] | Schemas["InstallmentExtendedEvent"] | Schemas["InstallmentOverpaidEvent"] | Schemas["InstallmentPayment_changedEvent"] | Schemas["InstallmentReopenedEvent"] | Schemas["PixCreatedEvent"] | Schemas["PixPaidEvent"] | Schemas["PixExpiredEvent"] | Schemas["PixRefundedEvent"] | Schemas["PixMovedEvent"] | Schemas["AutopayActivatedEvent"] | Schemas["AutopayEndedEvent"] | Schemas["AutopayFailedEvent"] | Schemas["OfferCreatedEvent"] | Schemas["OfferClaimedEvent"] | Schemas["OfferAcceptedEvent"] | Schemas["OfferDeclinedEvent"] | Schemas["OfferExpiredEvent"] | Schemas["OfferCancelledEvent"] | Schemas["CreditReviewEvent"] | Schemas["CreditDecidedEvent"] | Schemas["CreditLimit_changedEvent"] | Schemas["PayoutPaidEvent"];
    MerchantMe: {
        /** Null for a key that is the merchant’s own. */
        member: Schemas["Member"] | null;
        /** For which merchant they act. */
        merchant: { slug: string; name: string; };
        /** All of which they are a member. */
        merchants: {
            slug: string;
            name: string;
            /** `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant. */
            role: "clerk" | "owner";
        }[];
    };
    MerchantOffer: {
        id: string;
        /** `expired` at `expires_at`, unless something came of it before. */
        status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
        description: string | null;
        /** What is bought, one by one, if the merchant said so. */
        items: {
            name: string;
            quantity: number;
            /** For the whole quantity, in reais. */
            amount: number;
        }[];
        quote: Schemas["Quote"];
        /**
         * Format: date-time
         * It can be accepted until then; one that nobody has claimed, be claimed.
         */
        expires_at: string;
        /** Format: date-time */
        created_at: string;
        /** The purchase, once it was accepted. */
        checkout_hash: string | null;
        /** To whom it was made. None: an open offer. */
        phone: string | null;
        reference: string | null;
        /** Where the page leads back to, as you sent it. */
        return_url: string | null;
        /** Where it is read and accepted. The message to a phone has it. */
        link: string;
        /** Of an open offer that is pending: typed in the wallet, it does what the link does. */
        code: string | null;
        /** The link of such an offer, as a PNG in a data URI. */
        qr_code: string | null;
        /**
         * Format: date-time
         * When somebody claimed the open offer.
         */
        claimed_at: string | null;
        /** Which member of the merchant made it; null: the merchant’s own server, or the operator. */
        by: { id: string; name: string; } | null;
    };
    MerchantOfferPage: { data: Schemas["MerchantOffer"][]; pagination: Schemas["Pagination"]; };
    MerchantPage: { data: Schemas["Merchant"][]; pagination: Schemas["Pagination"]; };
    MerchantReturn: {
        id: string;
        /** What was returned, of what was bought for, in reais. */
        amount: number;
        reason: string;
        /** Format: date-time */
        returned_at: string;
        /** What goes back by Pix, the newest payment first. */
        refunds: {
            /** The payment in the Pix network. */
            end_to_end_id: string;
            /** What of it goes back, in reais. */
            amount: number;
        }[];
        /** What becomes cashback of the customer, because it cannot go back by Pix, in reais. */
        cashback: number;
        /** Which member of the merchant made it; null: the merchant’s own server, or the operator. */
        by: { id: string; name: string; } | null;
        checkout: Schemas["Sale"];
    };
    MerchantSummary: {
        /** How many sales were made. */
        sales: number;
        /** What was sold, in reais. */
        sold: number;
        /** What was returned, whenever it was sold, in reais. */
        returned: number;
        /** How many offers wait for an answer now. */
        waiting: number;
        /** Null when nothing is owed, and for a clerk. */
        next_payout: {
            /** What is paid next, in reais. */
            amount: number;
            /**
             * Format: date
             * When it is due, in São Paulo.
             */
            due_on: string;
        } | null;
    };
    NewEmail: {
        /** Format: email */
        email: string;
        /**
         * Format: text
         * What the request for the code answered.
         */
        challenge_id: string;
        /** The six digits of the message. */
        code: string;
    };
    NewPassword: {
        /**
         * Format: phone
         * International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
         */
        phone: string;
        /**
         * Format: text
         * What the request for the code answered.
         */
        challenge_id: string;
        /** The six digits of the message. */
        code: string;
        password: string;
    };
    NewPhone: {
        /**
         * Format: phone
         * International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
         */
        phone: string;
        /**
         * Format: text
         * What the request for the code answered.
         */
        challenge_id: string;
        /** The six digits of the message. */
        code: string;
        current: Schemas["CodeProof"];
    };
    OfferAcceptedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "offer.accepted";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** An offer was accepted: it is a purchase now. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer. */
            offer_id: string;
            /** What the merchant calls it. */
            reference?: string | null;
            /** What is bought for. */
            amount: number;
            /** In how many installments. */
            installments: number;
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * Until when it can be accepted.
             */
            expires_at: string;
            /** The purchase. */
            checkout_hash: string;
        };
    };
    OfferCancelledEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "offer.cancelled";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** An offer was taken back. */
        data: {
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** What is bought for. */
            amount: number;
            /** In how many installments. */
            installments: number;
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * Until when it can be accepted.
             */
            expires_at: string;
            /** What the merchant calls it. */
            reference?: string | null;
        };
    };
    OfferClaim: {
        /**
         * Format: text
         * Of the link: what follows /pagar/.
         */
        token: string;
        /**
         * Format: text
         * As it was typed: the case, spaces and dashes do not matter.
         */
        code?: string;
    } | {
        /**
         * Format: text
         * Of the link: what follows /pagar/.
         */
        token?: string;
        /**
         * Format: text
         * As it was typed: the case, spaces and dashes do not matter.
         */
        code: string;
    };
    OfferClaimedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "offer.claimed";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** Somebody has opened an open offer, and has it from now on until it expires. */
        data: {
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** What is bought for. */
            amount: number;
            /** In how many installments. */
            installments: number;
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * Until when it can be accepted.
             */
            expires_at: string;
            /** What the merchant calls it. */
            reference?: string | null;
        };
    };
    OfferCreatedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "offer.created";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A merchant made an offer. */
        data: {
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** What is bought for. */
            amount: number;
            /** In how many installments. */
            installments: number;
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * Until when it can be accepted.
             */
            expires_at: string;
            /** What the merchant calls it. */
            reference?: string | null;
        };
    };
    OfferDeclinedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "offer.declined";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** An offer was declined. */
        data: {
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** What is bought for. */
            amount: number;
            /** In how many installments. */
            installments: number;
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * Until when it can be accepted.
             */
            expires_at: string;
            /** What the merchant calls it. */
            reference?: string | null;
        };
    };
    OfferExpiredEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "offer.expired";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** An offer was not accepted in time. */
        data: {
            /** The offer. */
            offer_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** What is bought for. */
            amount: number;
            /** In how many installments. */
            installments: number;
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /**
             * Format: date-time
             * Until when it can be accepted.
             */
            expires_at: string;
            /** What the merchant calls it. */
            reference?: string | null;
        };
    };
    OfferOrder: {
        /**
         * Format: phone
         * Mobile number in international format (E.164), or as people in Brazil write it: 11 98765-0001. Its owner need not be a customer yet. Left out, the offer is open: for whoever claims it first.
         */
        phone?: string;
        /** What is bought for, in reais. */
        amount: number;
        /** One a week. */
        installments: number;
        /**
         * Format: text
         * What is bought.
         */
        description?: string;
        /**
         * Format: text
         * What you call it. The same reference and content again is the same offer while that is pending or accepted; after it was cancelled, declined or has expired, a new one.
         */
        reference?: string;
        /** What is bought, one by one. The amounts add up to `amount`. */
        items?: {
            /** Format: text */
            name: string;
            quantity: number;
            /** For the whole quantity, in reais. */
            amount: number;
        }[];
        /**
         * Format: text
         * Where the page of the offer leads back to, with `offer_id`, `status` and `reference` added to its query. Https, and of an origin in `return_origins` of your key. It proves nothing: believe the event, or read the offer.
         */
        return_url?: string;
        /** For how many seconds an open offer can be claimed: 900 unless set, 3,600 with a `return_url`. An offer to a phone holds for two days, and so does an open one from when it is claimed. */
        expires_in?: number;
    };
    OwnPayoutAccount: {
        /** The Pix key it is paid to. */
        pix_key: string | null;
        /** Whose account it is. */
        holder_name: string | null;
        /** CNPJ or CPF of the holder, digits alone. */
        tax_id: string | null;
        /** What an owner of the merchant wants instead. It does not count yet. */
        change: {
            /** The Pix key it is paid to. */
            pix_key: string | null;
            /** Whose account it is. */
            holder_name: string | null;
            /** CNPJ or CPF of the holder, digits alone. */
            tax_id: string | null;
            /** Format: date-time */
            asked_at: string;
            /**
             * Format: date-time
             * When it takes effect, unless it is stopped before.
             */
            counts_at: string;
        } | null;
    };
    OwnPayoutAccountForm: {
        /** CPF, CNPJ, phone, e-mail or random key, as the bank writes it. */
        pix_key: string;
        /**
         * Format: text
         * Whose account it is.
         */
        holder_name: string;
        /** CNPJ or CPF of the holder. */
        tax_id: string;
        /**
         * Format: text
         * What the request for the code answered.
         */
        challenge_id: string;
        /** The six digits of the message. */
        code: string;
    };
    OwnPhoneChange: {
        /** A new phone that does not count yet. */
        phone_change: {
            /** The last four digits of the new phone. */
            phone_ends_in: string;
            /** Format: date-time */
            asked_at: string;
            /**
             * Format: date-time
             * When it takes effect, unless it is cancelled before.
             */
            counts_at: string;
        } | null;
    };
    Pagination: {
        /** This page. */
        page: number;
        /** How many to a page. */
        limit: number;
        /** How many there are on all pages. */
        total: number;
        /** How many pages there are. */
        pages: number;
    };
    PartialChargeRequest: {
        /** Pays a part. */
        type: "settle_partial";
        /** The amount of the charge, in reais. */
        value: number;
    };
    /** Something that happened. `type` says what `data` is. */
    PartnerEvent: Schemas["LeadReceivedEvent"] | Schemas["CustomerRegisteredEvent"] | Schemas["CheckoutCreatedEvent"] | Schemas["CheckoutPaidEvent"] | Schemas["CheckoutOverdueEvent"] | Schemas["CheckoutReturnedEvent"] | Schemas["InstallmentPaidEvent"] | Schemas["InstallmentOverdueEvent"] | Schemas["InstallmentExtendedEvent"] | Schemas["InstallmentOverpaidEvent"] | Schemas["InstallmentPayment_changedEvent"] | Schemas["InstallmentReopenedEvent"] | Schemas["PixCreatedEvent"] | Schemas["PixPaidEvent"] | Schemas["PixExpiredEvent"] | Schemas["PixRefundedEvent"] | Schemas["PixMovedEvent"] | Schemas["AutopayActivatedEvent"] | Schemas["AutopayEndedEvent"] | Schemas["AutopayFailedEvent"] | Schemas["CashbackChangedEvent"] | Schemas["ReferralRewardedEvent"] | Schemas["OfferCreatedEvent"] | Schemas["OfferClaimedEvent"] | Schemas["OfferAcceptedEvent"] | Schemas["OfferDeclinedEvent"] | Schemas["OfferExpiredEvent"] | Schemas["OfferCancelledEvent"] | Schemas["CreditReviewEvent"] | Schemas["CreditDecidedEvent"] | Schemas["CreditLimit_changedEvent"] | Schemas["PayoutPaidEvent"];
    PasswordLogin: {
        /**
         * Format: phone
         * International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
         */
        phone: string;
        password: string;
    };
    Payout: {
        id: string;
        /** Slug of the merchant. */
        merchant: string;
        /** What is paid, in reais. */
        amount: number;
        /** `failed`: it is owed again, and the next batch pays it. */
        status: "pending" | "paid" | "failed";
        /**
         * Format: date
         * The latest due day of what it pays, in São Paulo.
         */
        due_on: string;
        /** Format: date-time */
        created_at: string;
        /** Format: date-time */
        paid_at: string | null;
        /** What the bank calls it, once it is paid. */
        reference: string | null;
        /** Format: date-time */
        failed_at: string | null;
        /** Why it failed. */
        reason: string | null;
    };
    PayoutLine: {
        id: string;
        /** A `sale` and its `fee`; a `return` and the fee that goes back with it, `return_fee`; a `payout`, and one that the bank did not carry out, `payout_failed`. */
        kind: "sale" | "fee" | "return" | "return_fee" | "payout" | "payout_failed";
        /** Above zero the merchant is owed more, below zero less, in reais. */
        amount: number;
        /** The sale, if it is about one. */
        checkout_hash: string | null;
        /** The payout, if it is about one. */
        of_payout: string | null;
        /**
         * Format: date
         * From when on a payout takes it in, in São Paulo.
         */
        due_on: string;
        /** Format: date-time */
        occurred_at: string;
    };
    PayoutPage: { data: Schemas["Payout"][]; pagination: Schemas["Pagination"]; };
    PayoutPaidEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "payout.paid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A merchant was paid. */
        data: {
            /** The payout. */
            payout_id: string;
            /** Slug of the merchant. */
            merchant: string;
            /** What was paid. */
            amount: number;
            /**
             * Format: date-time
             * When.
             */
            paid_at: string;
            /** The bank’s reference. */
            reference: string | null;
        };
    };
    PayoutWithLines: Schemas["Payout"] & {
        /** A page of what it settled: together they are its amount. */
        lines: Schemas["PayoutLine"][];
        pagination: Schemas["Pagination"];
    };
    PhoneCheck: {
        phone: string;
        /** Whether somebody can log in with it. */
        registered: boolean;
        /** How; empty when nobody can. */
        login_methods: ("password" | "otp")[];
    };
    PhoneForm: {
        /**
         * Format: phone
         * International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
         */
        phone: string;
    };
    PixCharge: {
        id: string;
        installment_id: string;
        /** `settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `settle_partial` a part; `extend` buys a later due day. */
        type: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
        /** `cancelled`: money came for the installment by another charge, or a newer one of the same type replaced it. */
        status: "pending" | "paid" | "expired" | "cancelled";
        /** What is to be paid, in reais. */
        value: number;
        /** What was paid, in reais: 0 until the money arrives. */
        paid: number;
        /** What the payment provider knows it by. */
        txid: string;
        /** The code to copy and paste into the app of a bank. */
        br_code: string;
        /** The same code to scan: a PNG in a data URI. */
        qr_code: string;
        /**
         * Format: date-time
         * The price holds until then.
         */
        expires_at: string;
        /** Format: date-time */
        created_at: string;
    };
    PixChargePage: { data: Schemas["PixCharge"][]; pagination: Schemas["Pagination"]; };
    PixChargeWithRefunds: Schemas["PixCharge"] & {
        refunds: {
            /** What goes back of what was paid, in reais. */
            value: number;
            /** `delayed`: the bank did not take it back, and a person sees to it. `cashback`: it could not go back by Pix any more. */
            status: "under_way" | "returned" | "delayed" | "cashback";
            /** The same in words for the customer, in Portuguese. */
            explanation: string;
        }[];
    };
    PixCreatedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "pix.created";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A charge can be paid. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            type: "settle" | "settle_partial" | "settle_with_penalty" | "extend";
            /** What the charge asks for. */
            value: number;
            /**
             * Format: date-time
             * Until when it can be paid.
             */
            expires_at: string;
        };
    };
    PixExpiredEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "pix.expired";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A charge was not paid in time. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            type: "settle" | "settle_partial" | "settle_with_penalty" | "extend";
            /** What the charge asks for. */
            value: number;
            /**
             * Format: date-time
             * Since when it cannot be paid.
             */
            expired_at: string;
        };
    };
    PixMovedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "pix.moved";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A payment was found to be for another installment, and counts for this one no longer. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            /** What it was. */
            amount: number;
            /**
             * Format: date-time
             * Since when it counts for this installment no longer.
             */
            moved_at: string;
            /** The payment in the Pix network. */
            end_to_end_id: string;
        };
    };
    PixPaidEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "pix.paid";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** The money of a charge arrived. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            type: "settle" | "settle_partial" | "settle_with_penalty" | "extend";
            /** What the charge asks for. */
            value: number;
            /** What was paid. */
            paid: number;
            /**
             * Format: date-time
             * When the money arrived.
             */
            paid_at: string;
            /** The charge at the PSP. */
            txid: string;
            /** The payment in the Pix network. */
            end_to_end_id: string;
        };
    };
    PixRefundedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "pix.refunded";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** Money of a payment went back to the payer. */
        data: {
            /** Slug of the merchant. */
            merchant: string;
            /** The offer the purchase came from, if any. */
            offer_id: string | null;
            /** What the merchant calls that offer. */
            reference: string | null;
            /** The purchase. */
            checkout_hash: string;
            /** The installment the charge is for. */
            installment_id: string;
            /** The charge. */
            pix_id: string;
            /** What went back to the payer. */
            amount: number;
            /** It was more than was owed, or the payer’s bank took it back. */
            reason: "too_much" | "taken_back";
            /** The payment it was a part of. */
            end_to_end_id: string;
        };
    };
    Post: Schemas["PostSummary"] & {
        /** The text in Markdown. */
        body: string;
        /** The same as HTML, safe to put into a page. */
        body_html: string;
    };
    PostPage: { data: Schemas["PostSummary"][]; pagination: Schemas["Pagination"]; };
    PostSummary: {
        /** Identifies the post in addresses. */
        slug: string;
        title: string;
        summary: string;
        /** Address of a wide image. */
        cover_url: string | null;
        author: string;
        tags: string[];
        /** Format: date-time */
        published_at: string;
    };
    Preferences: {
        /** In this order, until one takes the message. Legal notices go by the others besides. */
        channels: ("whatsapp" | "sms" | "email" | "push")[];
        /** Whether to be reminded before the due day. Of what is due and late everybody is reminded. */
        reminders_before_due: boolean;
        /** Whether to be told of offers of ours. */
        news: boolean;
    };
    /** RFC 9457 problem details. */
    Problem: {
        /**
         * Format: uri
         * A page that tells cause and remedy.
         */
        type: string;
        /** In Portuguese when `Accept-Language` prefers it. */
        title: string;
        status: number;
        /** What is wrong in this case, for people. */
        detail: string;
        /** What is wrong, for programs: stable. */
        code: string;
        /** To quote when asking for help. */
        request_id: string;
        /** Every field or parameter that is wrong. */
        errors?: {
            /** JSON Pointer to the field, or / and the name of the parameter. */
            pointer: string;
            message: string;
        }[];
    };
    PublicOffer: {
        /** `expired` at `expires_at`, unless something came of it before. */
        status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
        /** Whether it is somebody’s already: claimed, or made to a phone. Nobody else can claim it. */
        claimed: boolean;
        merchant: { slug: string; name: string; logo_url: string | null; };
        /** What is bought for, in reais. */
        amount: number;
        description: string | null;
        /** What is bought, one by one, if the merchant said so. */
        items: {
            name: string;
            quantity: number;
            /** For the whole quantity, in reais. */
            amount: number;
        }[];
        quote: Schemas["Quote"];
        /** Where the page leads back to, with `offer_id`, `status` and `reference` in its query. None: nowhere. */
        return_url: string | null;
        /**
         * Format: date-time
         * It can be accepted until then; one that nobody has claimed, be claimed.
         */
        expires_at: string;
    };
    Quote: {
        /** What is bought for, in reais. */
        amount: number;
        installments: {
            number: number;
            /**
             * Format: date
             * When it falls due, in São Paulo.
             */
            due_on: string;
            /** What is due, in reais. */
            amount: number;
        }[];
        /** All installments together, in reais. */
        total: number;
        /** What the credit costs: the total less the amount, in reais. */
        cost: number;
        /** What all installments earn together if each is settled by its effective due day, in reais. */
        cashback_if_on_time: number;
        terms: Schemas["Terms"];
    };
    QuoteOrder: {
        /** What is bought for, in reais. */
        amount: number;
        /** One a week. */
        installments: number;
    };
    Redemption: {
        installment: Schemas["Installment"];
        /** What was spent, in reais. */
        applied: number;
        /** What is available now, in reais. */
        balance: number;
    };
    RedemptionRequest: {
        /** How much, in reais: at most what is available and what settles the installment now, which it is unless sent. */
        value?: number;
    };
    Referral: {
        /** To be read aloud: no 0, O, 1, I or L. */
        code: string;
        /**
         * Format: uri
         * To be shared.
         */
        link: string;
        reward: {
            /** What an invitation that is made now brings the customer, in reais. */
            referrer: number;
            /** What it brings the invited, in reais. */
            invited: number;
            /** What the invited must have paid off installments by PIX, penalties and fees not counted, in reais. */
            min_paid: number;
        };
        summary: {
            /** How many came with the code. */
            invited: number;
            /** How many of them paid enough in time. */
            rewarded: number;
            /** What that brought the customer, in reais. */
            earned: number;
        };
        /** The newest first. */
        invitations: {
            /** Masked: the first name, of others the first letter. */
            name: string;
            /** `registered` with the code, `rewarded` once enough was paid (`reward.min_paid`), `expired` after 90 days without. */
            status: "registered" | "rewarded" | "expired";
            /** Format: date-time */
            invited_at: string;
            /** Format: date-time */
            rewarded_at: string | null;
            /** What the customer got for it, in reais. */
            reward: number;
        }[];
    };
    ReferralRewardedEvent: {
        /** The same however often and wherever it is told. */
        id: string;
        type: "referral.rewarded";
        /** Format: date-time */
        occurred_at: string;
        /**
         * Format: date
         * The version of the interface that `data` follows.
         */
        api_version: string;
        /** Counts the events of a purchase from 1. Null where it is of none. */
        sequence: number | null;
        /** A customer was credited for an invitation. */
        data: {
            /** Which side the customer is on. */
            role: "referrer" | "invited";
            /** What the customer was credited. */
            reward: number;
        };
    };
    RefreshForm: { refresh_token: string; };
    ReturnOrder: {
        /** How much of what was bought for, in reais; all that is left of it unless sent. */
        amount?: number;
        /**
         * Format: text
         * Why.
         */
        reason: string;
    };
    ReturnPreview: {
        /** What was returned, of what was bought for, in reais. */
        amount: number;
        reason: string;
        /** Format: date-time */
        returned_at: string;
        /** What goes back by Pix, the newest payment first. */
        refunds: {
            /** The payment in the Pix network. */
            end_to_end_id: string;
            /** What of it goes back, in reais. */
            amount: number;
        }[];
        /** What becomes cashback of the customer, because it cannot go back by Pix, in reais. */
        cashback: number;
        /** Which member of the merchant made it; null: the merchant’s own server, or the operator. */
        by: { id: string; name: string; } | null;
        checkout: Schemas["Sale"];
        /** Whether it would wait for the operator first. */
        would_wait: boolean;
        merchant: {
            /** What you are owed now; below zero you owe it, in reais. */
            owed_before: number;
            /** The same after the return, in reais. */
            owed_after: number;
        };
    };
    Sale: Schemas["SaleItem"] & {
        terms: Schemas["AgreedTerms"];
        installments: {
            id: string;
            number: number;
            /**
             * Format: date
             * The due day, extensions included, in São Paulo.
             */
            due_on: string;
            /**
             * Format: date
             * The next bank business day: until then nothing is late, in São Paulo.
             */
            effective_due_on: string;
            /** `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is. */
            status: "open" | "overdue" | "paid";
            /** As agreed, in reais. */
            amount: number;
            /** What was paid of the amount, in reais. */
            paid: number;
            /** What was given back for paying early, in reais. */
            discount: number;
            /** What it comes to less since something was returned; by rounding the last one may come to some centavos more, in reais. */
            returned: number;
            /** What is left of the amount, in reais. */
            outstanding: number;
            penalty: {
                /** Fine not paid yet, in reais. */
                fine: number;
                /** Interest not paid yet, in reais. */
                interest: number;
                /** Both, in reais. */
                total: number;
                /** Days since the effective due day. */
                days_late: number;
            };
            /** What was paid on top of the amount, less what went back. */
            charges_paid: {
                /** Fine, in reais. */
                fine: number;
                /** Interest, in reais. */
                interest: number;
                /** Price of extensions, in reais. */
                extension_fee: number;
            };
            /** Outstanding and penalty, in reais. */
            total_due: number;
            /** Format: date-time */
            paid_at: string | null;
            /** How often it was extended. */
            extensions: number;
            /** What it earns if it is settled by its effective due day: nothing on what was returned or paid with cashback. 0 once it is paid or late, in reais. */
            cashback_if_on_time: number;
        }[];
    };
    SaleItem: Schemas["CheckoutItem"] & {
        customer: {
            /** Masked but for the first name. */
            name: string;
        };
        /** The offer it came from, if it did. */
        offer_id: string | null;
        /** Which member of the merchant made it; null: the merchant’s own server, or the operator. */
        by: { id: string; name: string; } | null;
    };
    SalePage: { data: Schemas["SaleItem"][]; pagination: Schemas["Pagination"]; };
    SalesByDay: {
        /** Every day, in order, also those without a sale. */
        data: {
            /**
             * Format: date
             * The day, in São Paulo.
             */
            day: string;
            /** How many sales were made. */
            sales: number;
            /** What was sold, in reais. */
            sold: number;
            /** What was returned, whenever it was sold, in reais. */
            returned: number;
        }[];
    };
    SignUpForm: {
        /**
         * Format: phone
         * International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
         */
        phone: string;
        /**
         * Format: text
         * What the request for the code answered.
         */
        challenge_id: string;
        /** The six digits of the message. */
        code: string;
        /**
         * Format: text
         * Full name.
         */
        name: string;
        /**
         * Format: cpf
         * With or without punctuation. It is never shown again.
         */
        cpf: string;
        /**
         * Format: birth-date
         * YYYY-MM-DD.
         */
        birth_date: string;
        /** Format: email */
        email: string;
        /** Without one the customer logs in by code, and can set one. */
        password?: string;
        /**
         * Format: text
         * Of the customer who invited this one.
         */
        referral_code?: string;
        /** Version of the terms of use that were shown and agreed to. */
        terms: string;
    };
    /** The event of `Last-Event-ID` is not known (any more): the stream begins now, and something may have been missed. Read again what is shown. */
    StreamReset: { type: "reset"; reason: "last_event_id_unknown"; };
    SwitchForm: {
        /** The merchant to act for from now on. */
        merchant: string;
    };
    /** As agreed with the purchase; they never change. */
    Terms: {
        /** Interest a week; 0 splits the amount evenly, in percent. */
        weekly_rate_percent: number;
        /** Fine on what a due day left unpaid, once; at most 2, in percent. */
        fine_percent: number;
        /** Interest a month on what is late, simple, by the day; at most 1, in percent. */
        late_interest_percent: number;
        /** Price of an extension, on what is outstanding; at most 10, in percent. */
        extension_fee_percent: number;
        /** By how many days an extension moves the due day. */
        extension_days: number;
        /** How often an installment can be extended. */
        extension_limit: number;
        /** Share of each installment paid on time that comes back, in percent. */
        cashback_percent: number;
        /** What the credit costs in all a month (CET), a twelfth of the year, in percent. */
        cet_percent_month: number;
        /** What the credit costs in all a year of 365 days (CET), in percent. */
        cet_percent_year: number;
    };
    WaitingAnswer: { return: Schemas["WaitingReturn"]; };
    WaitingReturn: {
        id: string;
        /** `made`: the operator let it through, and it is a return with the same id. */
        status: "waiting" | "made" | "refused";
        checkout_hash: string;
        /** What is to be returned, of what was bought for, in reais. */
        amount: number;
        reason: string;
        /** Format: date-time */
        asked_at: string;
        /**
         * Format: date-time
         * When the operator decided.
         */
        closed_at: string | null;
        /** Why the operator refused. */
        refusal: string | null;
        /** Which member of the merchant made it; null: the merchant’s own server, or the operator. */
        by: { id: string; name: string; } | null;
    };
    WaitingReturnPage: { data: Schemas["WaitingReturn"][]; pagination: Schemas["Pagination"]; };
    WalletCalendar: {
        /** Everything that is not paid, the longest due first. */
        data: {
            installment_id: string;
            checkout_hash: string;
            merchant: string;
            number: number;
            /** How many installments the purchase has. */
            of: number;
            /**
             * Format: date
             * The day that was agreed, or bought by an extension.
             */
            due_on: string;
            /**
             * Format: date
             * The day after which it is late.
             */
            effective_due_on: string;
            /** What is left of it, without penalties, in reais. */
            outstanding: number;
        }[];
        /** Whether there is a secret address for calendars of others, and since when. */
        feed: {
            /** Format: date-time */
            created_at: string;
        } | null;
    };
    WalletCredit: {
        /** How much may be owed, in reais. */
        limit: number;
        /** How much is owed, in reais. */
        used: number;
        /** What can be bought for, in reais. */
        available: number;
        /** A higher limit that counts once the customer says yes, in reais. */
        offered: number | null;
        /** Why the limit is what it is, in sentences. */
        reasons: string[];
        /** What the customer can do, in a sentence. */
        next_step: string;
        /**
         * Format: date-time
         * Since when a person is looking at it; null when nobody was asked.
         */
        review: string | null;
    };
    /** Something that happened to the customer. `type` says what `data` is. */
    WalletEvent: Schemas["CustomerRegisteredEvent"] | Schemas["CheckoutCreatedEvent"] | Schemas["CheckoutPaidEvent"] | Schemas["CheckoutOverdueEvent"] | Schemas["CheckoutReturnedEvent"] | Schemas["InstallmentPaidEvent"] | Schemas["InstallmentOverdueEvent"] | Schemas["InstallmentExtendedEvent"] | Schemas["InstallmentOverpaidEvent"] | Schemas["InstallmentPayment_changedEvent"] | Schemas["InstallmentReopenedEvent"] | Schemas["PixCreatedEvent"] | Schemas["PixPaidEvent"] | Schemas["PixExpiredEvent"] | Schemas["PixRefundedEvent"] | Schemas["PixMovedEvent"] | Schemas["AutopayActivatedEvent"] | Schemas["AutopayEndedEvent"] | Schemas["AutopayFailedEvent"] | Schemas["CashbackChangedEvent"] | Schemas["ReferralRewardedEvent"] | Schemas["OfferCreatedEvent"] | Schemas["OfferClaimedEvent"] | Schemas["OfferAcceptedEvent"] | Schemas["OfferDeclinedEvent"] | Schemas["OfferExpiredEvent"] | Schemas["OfferCancelledEvent"] | Schemas["CreditReviewEvent"] | Schemas["CreditDecidedEvent"] | Schemas["CreditLimit_changedEvent"];
    WalletMessage: {
        id: string;
        /** Which message: `offer`, `reminder`, `payment_received`, ... */
        template: string;
        /** Of a reminder: days from the due day. */
        step: number | null;
        channel: ("whatsapp" | "sms" | "email" | "push") | null;
        text: string;
        status: "queued" | "retrying" | "sent" | "delivered" | "read" | "failed" | "withdrawn";
        /** Format: date-time */
        sent_at: string;
    };
    WalletMessages: { data: Schemas["WalletMessage"][]; pagination: Schemas["Pagination"]; };
    WalletOffer: {
        id: string;
        /** `expired` at `expires_at`, unless something came of it before. */
        status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
        description: string | null;
        /** What is bought, one by one, if the merchant said so. */
        items: {
            name: string;
            quantity: number;
            /** For the whole quantity, in reais. */
            amount: number;
        }[];
        quote: Schemas["Quote"];
        /**
         * Format: date-time
         * It can be accepted until then; one that nobody has claimed, be claimed.
         */
        expires_at: string;
        /** Format: date-time */
        created_at: string;
        /** The purchase, once it was accepted. */
        checkout_hash: string | null;
        /** Where the page leads back to, with `offer_id`, `status` and `reference` in its query. None: nowhere. */
        return_url: string | null;
        merchant: { slug: string; name: string; logo_url: string | null; };
    };
    WalletOfferPage: { data: Schemas["WalletOffer"][]; pagination: Schemas["Pagination"]; };
    WalletSession: {
        id: string;
        /** Whether it is the one this is asked in. */
        is_current: boolean;
        /**
         * Format: date-time
         * When it began, with a login.
         */
        created_at: string;
        /**
         * Format: date-time
         * When its tokens were exchanged last: it was in use then.
         */
        refreshed_at: string;
    };
    WalletSessionList: { data: Schemas["WalletSession"][]; };
    WholeChargeRequest: {
        /** `settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `extend` buys a later due day. */
        type: "settle" | "settle_with_penalty" | "extend";
        /** A guard: if it is not what is due now, in reais, nothing is made. */
        value?: number;
    };
}
