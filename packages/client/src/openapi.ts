// Made by 'npm run generate' from openapi.json.
export interface components {
    schemas: {
        AccountLine: {
            id: string;
            /**
             * @description A `sale` and its `fee`; a `return` and the fee that goes back with it, `return_fee`; a `payout`, and one that the bank did not carry out, `payout_failed`.
             * @enum {unknown}
             */
            kind: "sale" | "fee" | "return" | "return_fee" | "payout" | "payout_failed";
            /**
             * Format: reais
             * @description Above zero the merchant is owed more, below zero less, in reais.
             */
            amount: number;
            /** @description The sale, if it is about one. */
            checkout_hash: string | null;
            /** @description The payout, if it is about one. */
            of_payout: string | null;
            /**
             * Format: date
             * @description From when on a payout takes it in, in São Paulo.
             */
            due_on: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description The payout it went into; null while it is still to be settled. */
            settled_by: string | null;
            /**
             * Format: reais
             * @description What the merchant was owed after it, due or not, in reais.
             */
            balance_after: number;
        };
        AccountStatement: {
            data: components["schemas"]["AccountLine"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description As agreed with the purchase; they never change. */
        AgreedTerms: {
            /** @description Interest a week; 0 splits the amount evenly, in percent. */
            weekly_rate_percent: number;
            /** @description Fine on what a due day left unpaid, once; at most 2, in percent. */
            fine_percent: number;
            /** @description Interest a month on what is late, simple, by the day; at most 1, in percent. */
            late_interest_percent: number;
            /** @description Price of an extension, on what is outstanding; at most 10, in percent. */
            extension_fee_percent: number;
            /** @description By how many days an extension moves the due day. */
            extension_days: number;
            /** @description How often an installment can be extended. */
            extension_limit: number;
            /** @description Share of each installment paid on time that comes back, in percent. */
            cashback_percent: number;
            /** @description What the credit costs in all a month (CET), a twelfth of the year, in percent. */
            cet_percent_month: number;
            /** @description What the credit costs in all a year of 365 days (CET), in percent. */
            cet_percent_year: number;
            /** @description SHA-256 of the contract, as hex; null while there is none. */
            contract_sha256: string | null;
        };
        Agreement: {
            /**
             * @description `terms`: of use. `privacy`: what is done with personal data.
             * @enum {unknown}
             */
            kind: "terms" | "privacy";
            version: string;
            sections: {
                title: string;
                /** @description Plain text; a blank line begins a paragraph. */
                text: string;
            }[];
        };
        Amounts: {
            /**
             * Format: reais
             * @description What was bought for, in reais.
             */
            financed: number;
            /**
             * Format: reais
             * @description What was paid of the installments, penalties and fees not counted, in reais.
             */
            paid: number;
            /**
             * Format: reais
             * @description What the installments come to less since something was returned, in reais.
             */
            returned: number;
            /**
             * Format: reais
             * @description What is still to be paid of the installments, in reais.
             */
            outstanding: number;
            /**
             * Format: reais
             * @description Fines and interest as of now, in reais.
             */
            penalties: number;
            /**
             * Format: reais
             * @description Outstanding and penalties, in reais.
             */
            total_due: number;
        };
        Autopay: {
            id: string;
            /**
             * @description `pending`: waits for the payer. `active`: installments are debited. `rejected` by the payer; `expired` before the payer answered; `ended` since.
             * @enum {unknown}
             */
            status: "pending" | "active" | "rejected" | "expired" | "ended";
            /** @description The code to copy and paste into the app of a bank, which asks to authorise. */
            br_code: string;
            /** @description The same code to scan: a PNG in a data URI. */
            qr_code: string;
            /**
             * Format: date-time
             * @description Until when the code can be used.
             */
            expires_at: string;
            /** @description The code also pays the first open installment. */
            first: boolean;
            /**
             * @description Who ended it: the customer here, the payer in the app of the bank, a bank, or this service, as when all is paid.
             * @enum {string|null}
             */
            ended_by: "customer" | "payer" | "bank" | "service" | null;
            /** @description Why it ended: a code of the Pix network, or a word of ours. */
            reason: string | null;
            /** Format: date-time */
            created_at: string;
        };
        AutopayActivatedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "autopay.activated";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A customer has authorised that the installments of a purchase are debited. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The authorisation. */
                autopay_id: string;
                /**
                 * Format: date-time
                 * @description When.
                 */
                activated_at: string;
            };
        };
        AutopayEndedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "autopay.ended";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description The installments of a purchase are debited no more, or will not be: the authorisation has ended, was rejected, or was not given in time. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The authorisation. */
                autopay_id: string;
                /** @enum {unknown} */
                status: "ended" | "rejected" | "expired";
                /**
                 * @description Who ended it: the customer here, the payer in the app of the bank, a bank, or this service, as when all is paid.
                 * @enum {string|null}
                 */
                by: "customer" | "payer" | "bank" | "service" | null;
                /** @description Why: a code of the Pix network, or a word of ours. */
                reason: string | null;
                /**
                 * Format: date-time
                 * @description When.
                 */
                ended_at: string;
            };
        };
        AutopayFailedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "autopay.failed";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description The bank did not debit an installment on its day. Told once when it is tried again later, and once when it is not. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The authorisation. */
                autopay_id: string;
                /** @description The installment. */
                installment_id: string;
                /** @description What was to be debited. */
                value: number;
                /** @description On how many days the bank tried. */
                tries: number;
                /** @description What the bank said, in words, in Portuguese. */
                reason: string;
                /**
                 * Format: date
                 * @description When it is tried again; null: it is to be paid by code.
                 */
                retry_on: string | null;
            };
        };
        AutopayRequest: {
            /**
             * @description The code also pays the first open installment: paying is authorising.
             * @default false
             */
            first: boolean;
        };
        CalendarFeed: {
            /** @description The secret address, shown once. Whoever has it sees merchants, numbers and amounts. */
            url: string;
            /** Format: date-time */
            created_at: string;
        };
        CashbackBalance: {
            /**
             * Format: reais
             * @description What the customer has now. Below zero when cashback was taken back that had been used; what is earned next fills it up, in reais.
             */
            available: number;
            /**
             * Format: reais
             * @description What the open installments would still earn if all were paid on time, in reais.
             */
            pending: number;
            /** @description All that is available, by the day it ends, the next first. */
            expiring: {
                /**
                 * Format: reais
                 * @description How much, in reais.
                 */
                amount: number;
                /**
                 * Format: date
                 * @description The last day on which it counts, in São Paulo.
                 */
                expires_on: string;
            }[];
            /**
             * Format: reais
             * @description All that was ever earned, by paying on time and by inviting, less what was taken back, in reais.
             */
            lifetime_earned: number;
        };
        CashbackChangedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "cashback.changed";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A customer has more or less cashback. */
            data: {
                /** @description The line of the statement. */
                id: string;
                /** @enum {unknown} */
                kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
                /** @description By how much: below zero it was taken. */
                amount: number;
                /** @description What the customer has now. */
                balance: number;
                /** @description The purchase, if it is of one. */
                checkout_hash: string | null;
                /** @description The installment, if it is of one. */
                installment_id: string | null;
                /**
                 * Format: date
                 * @description Last day it can be used.
                 */
                expires_on: string | null;
            };
        };
        CashbackEntry: {
            id: string;
            /**
             * @description `earned` by paying an installment on time, `referral` for an invitation, `redeemed` to pay an installment (above zero: that was not owed after all), `expired`, `reversed`: taken back because a payment was, `adjusted` by the operator.
             * @enum {unknown}
             */
            kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
            /**
             * Format: reais
             * @description Above zero what came, below zero what went, in reais.
             */
            amount: number;
            /**
             * Format: reais
             * @description What the customer had then, in reais.
             */
            balance_after: number;
            /** @description For the customer, in Portuguese. */
            description: string;
            /** @description The purchase it is about, if it is about one. */
            checkout_hash: string | null;
            /** @description The installment that earned it, or was paid with it. */
            installment_id: string | null;
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description Of what came: the last day on which it counts, in São Paulo.
             */
            expires_on: string | null;
        };
        CashbackLedger: {
            data: components["schemas"]["CashbackEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        Category: {
            slug: string;
            name: string;
            /** @description How many merchants it has. */
            merchants: number;
        };
        CategoryList: { data: components["schemas"]["Category"][]; };
        ChargeRequest: components["schemas"]["WholeChargeRequest"] | components["schemas"]["PartialChargeRequest"];
        Checkout: {
            /** @description Identifies the purchase in addresses. */
            hash: string;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            merchant: { slug: string; name: string; logo_url: string | null; };
            description: string | null;
            /** Format: date-time */
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            /**
             * Format: date
             * @description The earliest due day of what is not paid.
             */
            next_due_on: string | null;
            /**
             * Format: date-time
             * @description When all of it was returned.
             */
            returned_at: string | null;
            /** @description Whether its installments are debited; null: nobody asked for it. */
            autopay: {
                /**
                 * @description How the authorisation of debits stands: see /wallet/checkouts/{hash}/autopay.
                 * @enum {unknown}
                 */
                status: "pending" | "active" | "rejected" | "expired" | "ended";
            } | null;
            terms: components["schemas"]["AgreedTerms"];
            installments: components["schemas"]["Installment"][];
        };
        CheckoutCreatedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "checkout.created";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A customer bought something. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /**
                 * Format: date-time
                 * @description When it was bought.
                 */
                purchased_at: string;
                /** @description What was bought for. */
                financed: number;
                /** @description What is to be paid in all. */
                total: number;
                /** @description In how many installments. */
                installments: number;
                /**
                 * Format: date
                 * @description When the first falls due.
                 */
                first_due_on: string;
            };
        };
        CheckoutItem: {
            /** @description Identifies the purchase in addresses. */
            hash: string;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            merchant: { slug: string; name: string; logo_url: string | null; };
            description: string | null;
            /** Format: date-time */
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            /**
             * Format: date
             * @description The earliest due day of what is not paid.
             */
            next_due_on: string | null;
            /**
             * Format: date-time
             * @description When all of it was returned.
             */
            returned_at: string | null;
        };
        CheckoutOverdueEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "checkout.overdue";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description The day turned, and the purchase has become overdue. Told when its first installment does; again only if it was not overdue in between. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
            };
        };
        CheckoutPage: {
            data: components["schemas"]["CheckoutItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        CheckoutPaidEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "checkout.paid";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description All installments of a purchase are paid. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
            };
        };
        CheckoutReturnedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "checkout.returned";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description Some or all of a purchase was returned. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description What was returned now. */
                amount: number;
                /** @description What was returned in all. */
                returned: number;
                /** @description What of it goes back to the customer. */
                refunded: number;
                /** @description Whether nothing of the purchase is left. */
                whole: boolean;
                /**
                 * Format: date-time
                 * @description When.
                 */
                returned_at: string;
            };
        };
        CodeLogin: {
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
            /**
             * Format: text
             * @description What the request for the code answered.
             */
            challenge_id: string;
            /** @description The six digits of the message. */
            code: string;
        };
        CodeOnItsWay: {
            /** @description To be sent with the code. */
            challenge_id: string;
            /**
             * Format: date-time
             * @description The code works until then.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description Another can be asked for from then on.
             */
            resend_after: string;
        };
        CodeProof: {
            /**
             * Format: text
             * @description What the request for the code answered.
             */
            challenge_id: string;
            /** @description The six digits of the message. */
            code: string;
        };
        CreditDecidedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "credit.decided";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A person of the operator has answered. An offer that was approved can be accepted now. */
            data: {
                /** @description The decision. */
                decision_id: string;
                /** @enum {unknown} */
                outcome: "approved" | "declined";
                /** @description The offer, if it is about one. */
                offer_id: string | null;
                /** @description Slug of the merchant of that offer. */
                merchant: string | null;
            };
        };
        CreditLimit_changedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "credit.limit_changed";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description The credit policy or a person has changed a customer’s limit, or a higher one is offered. */
            data: {
                /** @description What counts now. */
                limit: number;
                /** @description What counts once the customer says yes. */
                offered: number | null;
            };
        };
        CreditReviewAsked: {
            id: string;
            /** Format: date-time */
            asked_at: string;
        };
        CreditReviewEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "credit.review";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A purchase, or a limit that a customer asked about, waits for a person of the operator. The offer stays pending. */
            data: {
                /** @description The decision. */
                decision_id: string;
                /** @description The offer, if it is about one. */
                offer_id: string | null;
                /** @description Slug of the merchant of that offer. */
                merchant: string | null;
            };
        };
        Creditor: { name: string; cnpj: string; address: string; email: string; };
        Customer: {
            id: string;
            name: string;
            phone: string;
            email: string;
            /** @description The taxpayer number, masked. */
            cpf: string;
            /** Format: date-time */
            created_at: string;
            credit: {
                /**
                 * Format: reais
                 * @description How much may be owed at most, in reais.
                 */
                limit: number;
                /**
                 * Format: reais
                 * @description What is owed on all purchases, in reais.
                 */
                used: number;
                /**
                 * Format: reais
                 * @description How much can still be bought for, in reais.
                 */
                available: number;
            };
        };
        CustomerExport: {
            customer_id: string;
            /** Format: date-time */
            exported_at: string;
            /** @description By table, also those that hold nothing on the customer. */
            tables: { [key: string]: Record<string, never>[]; };
        };
        CustomerRegisteredEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "customer.registered";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A customer signed up. */
            data: {
                /** @description The new customer. */
                customer_id: string;
                /**
                 * Format: date-time
                 * @description When.
                 */
                registered_at: string;
                /** @description The referral code the customer came with. */
                invited_with: string | null;
            };
        };
        ErasureCheck: {
            /** @description What has to be settled first; empty when the customer can leave. */
            stopped_by: {
                /** @description What it is, for programs. */
                code: string;
                /** @description A sentence in Portuguese. */
                text: string;
            }[];
        };
        EventFeed: {
            /** @description The oldest first. */
            data: components["schemas"]["PartnerEvent"][];
            /** @description Send it as `after` for what comes next, now or later. */
            after: string;
            /** @description Whether there may be more already. */
            has_more: boolean;
        };
        FaqEntry: {
            id: string;
            /** @description Lower-case word, usable as the filter `topic`. */
            topic: string;
            question: string;
            answer: string;
        };
        FaqList: { data: components["schemas"]["FaqEntry"][]; };
        Installment: {
            id: string;
            number: number;
            /**
             * Format: date
             * @description The due day, extensions included, in São Paulo.
             */
            due_on: string;
            /**
             * Format: date
             * @description The next bank business day: until then nothing is late, in São Paulo.
             */
            effective_due_on: string;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            /**
             * Format: reais
             * @description As agreed, in reais.
             */
            amount: number;
            /**
             * Format: reais
             * @description What was paid of the amount, in reais.
             */
            paid: number;
            /**
             * Format: reais
             * @description What was given back for paying early, in reais.
             */
            discount: number;
            /**
             * Format: reais
             * @description What it comes to less since something was returned; by rounding the last one may come to some centavos more, in reais.
             */
            returned: number;
            /**
             * Format: reais
             * @description What is left of the amount, in reais.
             */
            outstanding: number;
            penalty: {
                /**
                 * Format: reais
                 * @description Fine not paid yet, in reais.
                 */
                fine: number;
                /**
                 * Format: reais
                 * @description Interest not paid yet, in reais.
                 */
                interest: number;
                /**
                 * Format: reais
                 * @description Both, in reais.
                 */
                total: number;
                /** @description Days since the effective due day. */
                days_late: number;
            };
            /** @description What was paid on top of the amount, less what went back. */
            charges_paid: {
                /**
                 * Format: reais
                 * @description Fine, in reais.
                 */
                fine: number;
                /**
                 * Format: reais
                 * @description Interest, in reais.
                 */
                interest: number;
                /**
                 * Format: reais
                 * @description Price of extensions, in reais.
                 */
                extension_fee: number;
            };
            /**
             * Format: reais
             * @description Outstanding and penalty, in reais.
             */
            total_due: number;
            /** Format: date-time */
            paid_at: string | null;
            /** @description How often it was extended. */
            extensions: number;
            /**
             * Format: reais
             * @description What it earns if it is settled by its effective due day: nothing on what was returned or paid with cashback. 0 once it is paid or late, in reais.
             */
            cashback_if_on_time: number;
            /** @description What can be generated now, and for how much. */
            pix_options: ({
                /** @enum {unknown} */
                type: "settle" | "settle_with_penalty";
                /**
                 * Format: reais
                 * @description What it costs now, in reais.
                 */
                value: number;
            } | {
                /** @constant */
                type: "settle_partial";
                /**
                 * Format: reais
                 * @description The least, in reais.
                 */
                min: number;
                /**
                 * Format: reais
                 * @description The most, which settles it, in reais.
                 */
                max: number;
            } | {
                /** @constant */
                type: "extend";
                /**
                 * Format: reais
                 * @description What it costs now, in reais.
                 */
                value: number;
                /**
                 * Format: date
                 * @description The due day if it is paid today, in São Paulo.
                 */
                due_on: string;
            })[];
            /** @description Its debit, if one was asked for. */
            autopay: {
                /**
                 * @description `scheduled`: the bank debits it on that day. `trying`: it refused, and tries again on that day. `failed`: it is to be paid by code.
                 * @enum {unknown}
                 */
                status: "scheduled" | "trying" | "paid" | "failed";
                /**
                 * Format: date
                 * @description When it is debited, or was last, in São Paulo.
                 */
                on: string;
                /** @description On how many days the bank tried. */
                tries: number;
                /** @description What the bank said last, in words for the customer, in Portuguese. */
                reason: string | null;
            } | null;
        };
        InstallmentExtendedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "installment.extended";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description An installment falls due on another day: an extension was paid, or taken back. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment. */
                installment_id: string;
                /** @description Which of the purchase, from 1. */
                number: number;
                /**
                 * Format: date
                 * @description When it falls due now.
                 */
                due_on: string;
                /** @description How often it was extended. */
                extensions: number;
            };
        };
        InstallmentOverdueEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "installment.overdue";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description The day turned, and something is still owed on an installment whose effective due day is past. Told once for each due day. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment. */
                installment_id: string;
                /** @description Which of the purchase, from 1. */
                number: number;
                /** @description How many installments the purchase has. */
                installments_total: number;
                /** @description Where it was bought. */
                merchant_name: string;
                /**
                 * Format: date
                 * @description When it fell due.
                 */
                due_on: string;
                /**
                 * Format: date
                 * @description The business day until which it could be paid in time.
                 */
                effective_due_on: string;
                /** @description What is owed of the installment, without fine and interest. */
                outstanding: number;
            };
        };
        InstallmentOverpaidEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "installment.overpaid";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description Something was paid on an installment that was not owed after all, and cannot go back by Pix: cashback, or what is older than 90 days, or what the payment provider refuses to refund for its age. It is cashback from now on. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment. */
                installment_id: string;
                /** @description Which of the purchase, from 1. */
                number: number;
                /** @description How many installments the purchase has. */
                installments_total: number;
                /** @description Where it was bought. */
                merchant_name: string;
                /** @description What becomes cashback. Below zero: what is cashback no more, since the payment was taken back. */
                amount: number;
            };
        };
        InstallmentPaidEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "installment.paid";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description An installment was settled. Told again when it turns out that it was settled at another time, or with less cashback, and when something was returned. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment. */
                installment_id: string;
                /** @description Which of the purchase, from 1. */
                number: number;
                /** @description How many installments the purchase has. */
                installments_total: number;
                /** @description Where it was bought. */
                merchant_name: string;
                /** @description What was agreed. */
                amount: number;
                /** @description What of it was given back for paying early. */
                discount: number;
                /** @description What it comes to less since something was returned. */
                returned: number;
                /** @description What of it was taken off with cashback, which earns none. */
                paid_with_cashback: number;
                /**
                 * Format: date-time
                 * @description When it was settled.
                 */
                paid_at: string;
                /** @description On or before the effective due day. */
                on_time: boolean;
                /** @description What the purchase earns of what is paid on time. */
                cashback_percent: number;
            };
        };
        InstallmentPayment_changedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "installment.payment_changed";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description Something was paid on an installment without settling it, or what had been paid was taken back or went back. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment. */
                installment_id: string;
                /** @description Which of the purchase, from 1. */
                number: number;
                /** @description What is paid of the amount now, without fine, interest and fees. */
                paid: number;
                /** @description What is left of the amount. */
                outstanding: number;
            };
        };
        InstallmentReopenedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "installment.reopened";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description What had settled an installment was taken back: that is owed again. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment. */
                installment_id: string;
                /** @description Which of the purchase, from 1. */
                number: number;
                /** @description How many installments the purchase has. */
                installments_total: number;
                /** @description Where it was bought. */
                merchant_name: string;
                /** @description What is owed again. */
                outstanding: number;
                /**
                 * Format: date
                 * @description When it falls or fell due.
                 */
                due_on: string;
            };
        };
        InstallmentsChoice: {
            /** @description In fewer installments than offered, if so. */
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
            /** @description Which form it is, a lower-case word of your choice, e.g. `partner`. */
            kind: string;
            /** Format: text */
            name: string;
            /** Format: email */
            email: string;
            /**
             * Format: phone
             * @description International format (E.164), e.g. +5511987654321, or as people in Brazil write it.
             */
            phone?: string;
            /** Format: text */
            company?: string;
            /** Format: text */
            message?: string;
        } | {
            /** @description Which form it is, a lower-case word of your choice, e.g. `partner`. */
            kind: string;
            /** Format: text */
            name: string;
            /** Format: email */
            email?: string;
            /**
             * Format: phone
             * @description International format (E.164), e.g. +5511987654321, or as people in Brazil write it.
             */
            phone: string;
            /** Format: text */
            company?: string;
            /** Format: text */
            message?: string;
        };
        LeadReceivedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "lead.received";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description Somebody sent a form. */
            data: {
                /** @description The lead. */
                id: string;
                /** @description Which form. */
                kind: string;
                /**
                 * Format: date-time
                 * @description When it came.
                 */
                received_at: string;
            };
        };
        Login: {
            /** @description To be sent as x-token: a JWT that works for 15 minutes. */
            token: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Gets the next token, once. */
            refresh_token: string;
            /** Format: date-time */
            refresh_expires_at: string;
            customer: components["schemas"]["Customer"];
        };
        Member: {
            /** @description The member. */
            id: string;
            name: string;
            phone: string;
            /**
             * @description `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant.
             * @enum {unknown}
             */
            role: "clerk" | "owner";
            /**
             * Format: reais
             * @description A clerk’s offers are for no more, in reais; null: no bound. It does not bind an owner.
             */
            max_amount: number | null;
            /** @description Whether a clerk may take goods back. An owner always may. */
            may_return: boolean;
            /** @enum {unknown} */
            status: "active" | "removed";
            /** Format: date-time */
            created_at: string;
        };
        MemberChange: {
            /** Format: text */
            name?: string;
            /**
             * @description `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant.
             * @enum {unknown}
             */
            role?: "clerk" | "owner";
            /**
             * Format: reais
             * @description A clerk’s offers are for no more, in reais; null: no bound. It does not bind an owner.
             */
            max_amount?: number | null;
            /** @description Whether a clerk may take goods back. An owner always may. */
            may_return?: boolean;
        };
        MemberCodeLogin: {
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
            /**
             * Format: text
             * @description What the request for the code answered.
             */
            challenge_id: string;
            /** @description The six digits of the message. */
            code: string;
            /** @description For which merchant, where the phone is a member of several; else the first. */
            merchant?: string;
        };
        MemberForm: {
            /** Format: text */
            name: string;
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
            /**
             * @description `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant.
             * @enum {unknown}
             */
            role: "clerk" | "owner";
            /**
             * Format: reais
             * @description A clerk’s offers are for no more, in reais; null: no bound. It does not bind an owner.
             */
            max_amount?: number | null;
            /** @description Whether a clerk may take goods back. An owner always may. */
            may_return?: boolean;
        };
        MemberLogin: {
            /** @description To be sent as x-token: a JWT that works for 15 minutes. */
            token: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Gets the next token, once. */
            refresh_token: string;
            /** Format: date-time */
            refresh_expires_at: string;
            member: components["schemas"]["Member"];
            /** @description For which merchant they act. */
            merchant: { slug: string; name: string; };
            /** @description All of which they are a member. */
            merchants: {
                slug: string;
                name: string;
                /**
                 * @description `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant.
                 * @enum {unknown}
                 */
                role: "clerk" | "owner";
            }[];
        };
        MemberSession: {
            id: string;
            /** @description Whether it is the one this was asked with. */
            is_current: boolean;
            /**
             * Format: date-time
             * @description When they signed in.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its tokens were last exchanged.
             */
            refreshed_at: string;
        };
        MemberSessionList: { data: components["schemas"]["MemberSession"][]; };
        Merchant: {
            /** @description Identifies the merchant in addresses. */
            slug: string;
            name: string;
            category: { slug: string; name: string; };
            description: string | null;
            /** @description Address of a square image. */
            logo_url: string | null;
            city: string | null;
            /** @description Two letters, e.g. SP. */
            state: string | null;
            website: string | null;
            /** @description Share of each installment paid on time that comes back to the customer. */
            cashback_percent: number;
        };
        /** @description Something that happened to the merchant. `type` says what `data` is. */
        MerchantEvent: components["schemas"]["CheckoutCreatedEvent"] | components["schemas"]["CheckoutPaidEvent"] | components["schemas"]["CheckoutOverdueEvent"] | components["schemas"]["CheckoutReturnedEvent"] | components["schemas"]["InstallmentPaidEvent"] | components["schemas"]["InstallmentOverdueEvent"] | components["schemas"]["InstallmentExtendedEvent"] | components["schemas"]["InstallmentOverpaidEvent"] | components["schemas"]["InstallmentPayment_changedEvent"] | components["schemas"]["InstallmentReopenedEvent"] | components["schemas"]["PixCreatedEvent"] | components["schemas"]["PixPaidEvent"] | components["schemas"]["PixExpiredEvent"] | components["schemas"]["PixRefundedEvent"] | components["schemas"]["PixMovedEvent"] | components["schemas"]["AutopayActivatedEvent"] | components["schemas"]["AutopayEndedEvent"] | components["schemas"]["AutopayFailedEvent"] | components["schemas"]["OfferCreatedEvent"] | components["schemas"]["OfferClaimedEvent"] | components["schemas"]["OfferAcceptedEvent"] | components["schemas"]["OfferDeclinedEvent"] | components["schemas"]["OfferExpiredEvent"] | components["schemas"]["OfferCancelledEvent"] | components["schemas"]["CreditReviewEvent"] | components["schemas"]["CreditDecidedEvent"] | components["schemas"]["CreditLimit_changedEvent"] | components["schemas"]["PayoutPaidEvent"];
        MerchantMe: {
            /** @description Null for a key that is the merchant’s own. */
            member: components["schemas"]["Member"] | null;
            /** @description For which merchant they act. */
            merchant: { slug: string; name: string; };
            /** @description All of which they are a member. */
            merchants: {
                slug: string;
                name: string;
                /**
                 * @description `clerk`: quotes, offers, sees the sales of the day and those they look up; `owner`: everything of the merchant.
                 * @enum {unknown}
                 */
                role: "clerk" | "owner";
            }[];
        };
        MerchantOffer: {
            id: string;
            /**
             * @description `expired` at `expires_at`, unless something came of it before.
             * @enum {unknown}
             */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            description: string | null;
            /** @description What is bought, one by one, if the merchant said so. */
            items: {
                name: string;
                quantity: number;
                /**
                 * Format: reais
                 * @description For the whole quantity, in reais.
                 */
                amount: number;
            }[];
            quote: components["schemas"]["Quote"];
            /**
             * Format: date-time
             * @description It can be accepted until then; one that nobody has claimed, be claimed.
             */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** @description The purchase, once it was accepted. */
            checkout_hash: string | null;
            /** @description To whom it was made. None: an open offer. */
            phone: string | null;
            reference: string | null;
            /** @description Where the page leads back to, as you sent it. */
            return_url: string | null;
            /** @description Where it is read and accepted. The message to a phone has it. */
            link: string;
            /** @description Of an open offer that is pending: typed in the wallet, it does what the link does. */
            code: string | null;
            /** @description The link of such an offer, as a PNG in a data URI. */
            qr_code: string | null;
            /**
             * Format: date-time
             * @description When somebody claimed the open offer.
             */
            claimed_at: string | null;
            /** @description Which member of the merchant made it; null: the merchant’s own server, or the operator. */
            by: { id: string; name: string; } | null;
        };
        MerchantOfferPage: {
            data: components["schemas"]["MerchantOffer"][];
            pagination: components["schemas"]["Pagination"];
        };
        MerchantPage: {
            data: components["schemas"]["Merchant"][];
            pagination: components["schemas"]["Pagination"];
        };
        MerchantReturn: {
            id: string;
            /**
             * Format: reais
             * @description What was returned, of what was bought for, in reais.
             */
            amount: number;
            reason: string;
            /** Format: date-time */
            returned_at: string;
            /** @description What goes back by Pix, the newest payment first. */
            refunds: {
                /** @description The payment in the Pix network. */
                end_to_end_id: string;
                /**
                 * Format: reais
                 * @description What of it goes back, in reais.
                 */
                amount: number;
            }[];
            /**
             * Format: reais
             * @description What becomes cashback of the customer, because it cannot go back by Pix, in reais.
             */
            cashback: number;
            /** @description Which member of the merchant made it; null: the merchant’s own server, or the operator. */
            by: { id: string; name: string; } | null;
            checkout: components["schemas"]["Sale"];
        };
        MerchantSummary: {
            /** @description How many sales were made. */
            sales: number;
            /**
             * Format: reais
             * @description What was sold, in reais.
             */
            sold: number;
            /**
             * Format: reais
             * @description What was returned, whenever it was sold, in reais.
             */
            returned: number;
            /** @description How many offers wait for an answer now. */
            waiting: number;
            /** @description Null when nothing is owed, and for a clerk. */
            next_payout: {
                /**
                 * Format: reais
                 * @description What is paid next, in reais.
                 */
                amount: number;
                /**
                 * Format: date
                 * @description When it is due, in São Paulo.
                 */
                due_on: string;
            } | null;
        };
        NewEmail: {
            /** Format: email */
            email: string;
            /**
             * Format: text
             * @description What the request for the code answered.
             */
            challenge_id: string;
            /** @description The six digits of the message. */
            code: string;
        };
        NewPassword: {
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
            /**
             * Format: text
             * @description What the request for the code answered.
             */
            challenge_id: string;
            /** @description The six digits of the message. */
            code: string;
            password: string;
        };
        NewPhone: {
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
            /**
             * Format: text
             * @description What the request for the code answered.
             */
            challenge_id: string;
            /** @description The six digits of the message. */
            code: string;
            current: components["schemas"]["CodeProof"];
        };
        OfferAcceptedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "offer.accepted";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description An offer was accepted: it is a purchase now. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer. */
                offer_id: string;
                /** @description What the merchant calls it. */
                reference?: string | null;
                /** @description What is bought for. */
                amount: number;
                /** @description In how many installments. */
                installments: number;
                /** @enum {unknown} */
                status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /**
                 * Format: date-time
                 * @description Until when it can be accepted.
                 */
                expires_at: string;
                /** @description The purchase. */
                checkout_hash: string;
            };
        };
        OfferCancelledEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "offer.cancelled";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description An offer was taken back. */
            data: {
                /** @description The offer. */
                offer_id: string;
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description What is bought for. */
                amount: number;
                /** @description In how many installments. */
                installments: number;
                /** @enum {unknown} */
                status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /**
                 * Format: date-time
                 * @description Until when it can be accepted.
                 */
                expires_at: string;
                /** @description What the merchant calls it. */
                reference?: string | null;
            };
        };
        OfferClaim: {
            /**
             * Format: text
             * @description Of the link: what follows /pagar/.
             */
            token: string;
            /**
             * Format: text
             * @description As it was typed: the case, spaces and dashes do not matter.
             */
            code?: string;
        } | {
            /**
             * Format: text
             * @description Of the link: what follows /pagar/.
             */
            token?: string;
            /**
             * Format: text
             * @description As it was typed: the case, spaces and dashes do not matter.
             */
            code: string;
        };
        OfferClaimedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "offer.claimed";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description Somebody has opened an open offer, and has it from now on until it expires. */
            data: {
                /** @description The offer. */
                offer_id: string;
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description What is bought for. */
                amount: number;
                /** @description In how many installments. */
                installments: number;
                /** @enum {unknown} */
                status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /**
                 * Format: date-time
                 * @description Until when it can be accepted.
                 */
                expires_at: string;
                /** @description What the merchant calls it. */
                reference?: string | null;
            };
        };
        OfferCreatedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "offer.created";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A merchant made an offer. */
            data: {
                /** @description The offer. */
                offer_id: string;
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description What is bought for. */
                amount: number;
                /** @description In how many installments. */
                installments: number;
                /** @enum {unknown} */
                status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /**
                 * Format: date-time
                 * @description Until when it can be accepted.
                 */
                expires_at: string;
                /** @description What the merchant calls it. */
                reference?: string | null;
            };
        };
        OfferDeclinedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "offer.declined";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description An offer was declined. */
            data: {
                /** @description The offer. */
                offer_id: string;
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description What is bought for. */
                amount: number;
                /** @description In how many installments. */
                installments: number;
                /** @enum {unknown} */
                status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /**
                 * Format: date-time
                 * @description Until when it can be accepted.
                 */
                expires_at: string;
                /** @description What the merchant calls it. */
                reference?: string | null;
            };
        };
        OfferExpiredEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "offer.expired";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description An offer was not accepted in time. */
            data: {
                /** @description The offer. */
                offer_id: string;
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description What is bought for. */
                amount: number;
                /** @description In how many installments. */
                installments: number;
                /** @enum {unknown} */
                status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /**
                 * Format: date-time
                 * @description Until when it can be accepted.
                 */
                expires_at: string;
                /** @description What the merchant calls it. */
                reference?: string | null;
            };
        };
        OfferOrder: {
            /**
             * Format: phone
             * @description Mobile number in international format (E.164), or as people in Brazil write it: 11 98765-0001. Its owner need not be a customer yet. Left out, the offer is open: for whoever claims it first.
             */
            phone?: string;
            /**
             * Format: reais
             * @description What is bought for, in reais.
             */
            amount: number;
            /** @description One a week. */
            installments: number;
            /**
             * Format: text
             * @description What is bought.
             */
            description?: string;
            /**
             * Format: text
             * @description What you call it. The same reference and content again is the same offer while that is pending or accepted; after it was cancelled, declined or has expired, a new one.
             */
            reference?: string;
            /** @description What is bought, one by one. The amounts add up to `amount`. */
            items?: {
                /** Format: text */
                name: string;
                quantity: number;
                /**
                 * Format: reais
                 * @description For the whole quantity, in reais.
                 */
                amount: number;
            }[];
            /**
             * Format: text
             * @description Where the page of the offer leads back to, with `offer_id`, `status` and `reference` added to its query. Https, and of an origin in `return_origins` of your key. It proves nothing: believe the event, or read the offer.
             */
            return_url?: string;
            /** @description For how many seconds an open offer can be claimed: 900 unless set, 3,600 with a `return_url`. An offer to a phone holds for two days, and so does an open one from when it is claimed. */
            expires_in?: number;
        };
        OwnPayoutAccount: {
            /** @description The Pix key it is paid to. */
            pix_key: string | null;
            /** @description Whose account it is. */
            holder_name: string | null;
            /** @description CNPJ or CPF of the holder, digits alone. */
            tax_id: string | null;
            /** @description What an owner of the merchant wants instead. It does not count yet. */
            change: {
                /** @description The Pix key it is paid to. */
                pix_key: string | null;
                /** @description Whose account it is. */
                holder_name: string | null;
                /** @description CNPJ or CPF of the holder, digits alone. */
                tax_id: string | null;
                /** Format: date-time */
                asked_at: string;
                /**
                 * Format: date-time
                 * @description When it takes effect, unless it is stopped before.
                 */
                counts_at: string;
            } | null;
        };
        OwnPayoutAccountForm: {
            /** @description CPF, CNPJ, phone, e-mail or random key, as the bank writes it. */
            pix_key: string;
            /**
             * Format: text
             * @description Whose account it is.
             */
            holder_name: string;
            /** @description CNPJ or CPF of the holder. */
            tax_id: string;
            /**
             * Format: text
             * @description What the request for the code answered.
             */
            challenge_id: string;
            /** @description The six digits of the message. */
            code: string;
        };
        OwnPhoneChange: {
            /** @description A new phone that does not count yet. */
            phone_change: {
                /** @description The last four digits of the new phone. */
                phone_ends_in: string;
                /** Format: date-time */
                asked_at: string;
                /**
                 * Format: date-time
                 * @description When it takes effect, unless it is cancelled before.
                 */
                counts_at: string;
            } | null;
        };
        Pagination: {
            /** @description This page. */
            page: number;
            /** @description How many to a page. */
            limit: number;
            /** @description How many there are on all pages. */
            total: number;
            /** @description How many pages there are. */
            pages: number;
        };
        PartialChargeRequest: {
            /**
             * @description Pays a part.
             * @constant
             */
            type: "settle_partial";
            /**
             * Format: reais
             * @description The amount of the charge, in reais.
             */
            value: number;
        };
        /** @description Something that happened. `type` says what `data` is. */
        PartnerEvent: components["schemas"]["LeadReceivedEvent"] | components["schemas"]["CustomerRegisteredEvent"] | components["schemas"]["CheckoutCreatedEvent"] | components["schemas"]["CheckoutPaidEvent"] | components["schemas"]["CheckoutOverdueEvent"] | components["schemas"]["CheckoutReturnedEvent"] | components["schemas"]["InstallmentPaidEvent"] | components["schemas"]["InstallmentOverdueEvent"] | components["schemas"]["InstallmentExtendedEvent"] | components["schemas"]["InstallmentOverpaidEvent"] | components["schemas"]["InstallmentPayment_changedEvent"] | components["schemas"]["InstallmentReopenedEvent"] | components["schemas"]["PixCreatedEvent"] | components["schemas"]["PixPaidEvent"] | components["schemas"]["PixExpiredEvent"] | components["schemas"]["PixRefundedEvent"] | components["schemas"]["PixMovedEvent"] | components["schemas"]["AutopayActivatedEvent"] | components["schemas"]["AutopayEndedEvent"] | components["schemas"]["AutopayFailedEvent"] | components["schemas"]["CashbackChangedEvent"] | components["schemas"]["ReferralRewardedEvent"] | components["schemas"]["OfferCreatedEvent"] | components["schemas"]["OfferClaimedEvent"] | components["schemas"]["OfferAcceptedEvent"] | components["schemas"]["OfferDeclinedEvent"] | components["schemas"]["OfferExpiredEvent"] | components["schemas"]["OfferCancelledEvent"] | components["schemas"]["CreditReviewEvent"] | components["schemas"]["CreditDecidedEvent"] | components["schemas"]["CreditLimit_changedEvent"] | components["schemas"]["PayoutPaidEvent"];
        PasswordLogin: {
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
            password: string;
        };
        Payout: {
            id: string;
            /** @description Slug of the merchant. */
            merchant: string;
            /**
             * Format: reais
             * @description What is paid, in reais.
             */
            amount: number;
            /**
             * @description `failed`: it is owed again, and the next batch pays it.
             * @enum {unknown}
             */
            status: "pending" | "paid" | "failed";
            /**
             * Format: date
             * @description The latest due day of what it pays, in São Paulo.
             */
            due_on: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            paid_at: string | null;
            /** @description What the bank calls it, once it is paid. */
            reference: string | null;
            /** Format: date-time */
            failed_at: string | null;
            /** @description Why it failed. */
            reason: string | null;
        };
        PayoutLine: {
            id: string;
            /**
             * @description A `sale` and its `fee`; a `return` and the fee that goes back with it, `return_fee`; a `payout`, and one that the bank did not carry out, `payout_failed`.
             * @enum {unknown}
             */
            kind: "sale" | "fee" | "return" | "return_fee" | "payout" | "payout_failed";
            /**
             * Format: reais
             * @description Above zero the merchant is owed more, below zero less, in reais.
             */
            amount: number;
            /** @description The sale, if it is about one. */
            checkout_hash: string | null;
            /** @description The payout, if it is about one. */
            of_payout: string | null;
            /**
             * Format: date
             * @description From when on a payout takes it in, in São Paulo.
             */
            due_on: string;
            /** Format: date-time */
            occurred_at: string;
        };
        PayoutPage: {
            data: components["schemas"]["Payout"][];
            pagination: components["schemas"]["Pagination"];
        };
        PayoutPaidEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "payout.paid";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A merchant was paid. */
            data: {
                /** @description The payout. */
                payout_id: string;
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description What was paid. */
                amount: number;
                /**
                 * Format: date-time
                 * @description When.
                 */
                paid_at: string;
                /** @description The bank’s reference. */
                reference: string | null;
            };
        };
        PayoutWithLines: {
            id: string;
            /** @description Slug of the merchant. */
            merchant: string;
            /**
             * Format: reais
             * @description What is paid, in reais.
             */
            amount: number;
            /**
             * @description `failed`: it is owed again, and the next batch pays it.
             * @enum {unknown}
             */
            status: "pending" | "paid" | "failed";
            /**
             * Format: date
             * @description The latest due day of what it pays, in São Paulo.
             */
            due_on: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            paid_at: string | null;
            /** @description What the bank calls it, once it is paid. */
            reference: string | null;
            /** Format: date-time */
            failed_at: string | null;
            /** @description Why it failed. */
            reason: string | null;
            /** @description A page of what it settled: together they are its amount. */
            lines: components["schemas"]["PayoutLine"][];
            pagination: components["schemas"]["Pagination"];
        };
        PhoneCheck: {
            phone: string;
            /** @description Whether somebody can log in with it. */
            registered: boolean;
            /** @description How; empty when nobody can. */
            login_methods: ("password" | "otp")[];
        };
        PhoneForm: {
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
        };
        PixCharge: {
            id: string;
            installment_id: string;
            /**
             * @description `settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `settle_partial` a part; `extend` buys a later due day.
             * @enum {unknown}
             */
            type: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
            /**
             * @description `cancelled`: money came for the installment by another charge, or a newer one of the same type replaced it.
             * @enum {unknown}
             */
            status: "pending" | "paid" | "expired" | "cancelled";
            /** @description What is to be paid, in reais. */
            value: number;
            /** @description What was paid, in reais: 0 until the money arrives. */
            paid: number;
            /** @description What the payment provider knows it by. */
            txid: string;
            /** @description The code to copy and paste into the app of a bank. */
            br_code: string;
            /** @description The same code to scan: a PNG in a data URI. */
            qr_code: string;
            /**
             * Format: date-time
             * @description The price holds until then.
             */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        PixChargePage: {
            data: components["schemas"]["PixCharge"][];
            pagination: components["schemas"]["Pagination"];
        };
        PixChargeWithRefunds: {
            id: string;
            installment_id: string;
            /**
             * @description `settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `settle_partial` a part; `extend` buys a later due day.
             * @enum {unknown}
             */
            type: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
            /**
             * @description `cancelled`: money came for the installment by another charge, or a newer one of the same type replaced it.
             * @enum {unknown}
             */
            status: "pending" | "paid" | "expired" | "cancelled";
            /** @description What is to be paid, in reais. */
            value: number;
            /** @description What was paid, in reais: 0 until the money arrives. */
            paid: number;
            /** @description What the payment provider knows it by. */
            txid: string;
            /** @description The code to copy and paste into the app of a bank. */
            br_code: string;
            /** @description The same code to scan: a PNG in a data URI. */
            qr_code: string;
            /**
             * Format: date-time
             * @description The price holds until then.
             */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            refunds: {
                /**
                 * Format: reais
                 * @description What goes back of what was paid, in reais.
                 */
                value: number;
                /**
                 * @description `delayed`: the bank did not take it back, and a person sees to it. `cashback`: it could not go back by Pix any more.
                 * @enum {unknown}
                 */
                status: "under_way" | "returned" | "delayed" | "cashback";
                /** @description The same in words for the customer, in Portuguese. */
                explanation: string;
            }[];
        };
        PixCreatedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "pix.created";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A charge can be paid. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment the charge is for. */
                installment_id: string;
                /** @description The charge. */
                pix_id: string;
                /** @enum {unknown} */
                type: "settle" | "settle_partial" | "settle_with_penalty" | "extend";
                /** @description What the charge asks for. */
                value: number;
                /**
                 * Format: date-time
                 * @description Until when it can be paid.
                 */
                expires_at: string;
            };
        };
        PixExpiredEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "pix.expired";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A charge was not paid in time. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment the charge is for. */
                installment_id: string;
                /** @description The charge. */
                pix_id: string;
                /** @enum {unknown} */
                type: "settle" | "settle_partial" | "settle_with_penalty" | "extend";
                /** @description What the charge asks for. */
                value: number;
                /**
                 * Format: date-time
                 * @description Since when it cannot be paid.
                 */
                expired_at: string;
            };
        };
        PixMovedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "pix.moved";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A payment was found to be for another installment, and counts for this one no longer. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment the charge is for. */
                installment_id: string;
                /** @description The charge. */
                pix_id: string;
                /** @description What it was. */
                amount: number;
                /**
                 * Format: date-time
                 * @description Since when it counts for this installment no longer.
                 */
                moved_at: string;
                /** @description The payment in the Pix network. */
                end_to_end_id: string;
            };
        };
        PixPaidEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "pix.paid";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description The money of a charge arrived. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment the charge is for. */
                installment_id: string;
                /** @description The charge. */
                pix_id: string;
                /** @enum {unknown} */
                type: "settle" | "settle_partial" | "settle_with_penalty" | "extend";
                /** @description What the charge asks for. */
                value: number;
                /** @description What was paid. */
                paid: number;
                /**
                 * Format: date-time
                 * @description When the money arrived.
                 */
                paid_at: string;
                /** @description The charge at the PSP. */
                txid: string;
                /** @description The payment in the Pix network. */
                end_to_end_id: string;
            };
        };
        PixRefundedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "pix.refunded";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description Money of a payment went back to the payer. */
            data: {
                /** @description Slug of the merchant. */
                merchant: string;
                /** @description The offer the purchase came from, if any. */
                offer_id: string | null;
                /** @description What the merchant calls that offer. */
                reference: string | null;
                /** @description The purchase. */
                checkout_hash: string;
                /** @description The installment the charge is for. */
                installment_id: string;
                /** @description The charge. */
                pix_id: string;
                /** @description What went back to the payer. */
                amount: number;
                /**
                 * @description It was more than was owed, or the payer’s bank took it back.
                 * @enum {unknown}
                 */
                reason: "too_much" | "taken_back";
                /** @description The payment it was a part of. */
                end_to_end_id: string;
            };
        };
        Post: {
            /** @description Identifies the post in addresses. */
            slug: string;
            title: string;
            summary: string;
            /** @description Address of a wide image. */
            cover_url: string | null;
            author: string;
            tags: string[];
            /** Format: date-time */
            published_at: string;
            /** @description The text in Markdown. */
            body: string;
            /** @description The same as HTML, safe to put into a page. */
            body_html: string;
        };
        PostPage: {
            data: components["schemas"]["PostSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        PostSummary: {
            /** @description Identifies the post in addresses. */
            slug: string;
            title: string;
            summary: string;
            /** @description Address of a wide image. */
            cover_url: string | null;
            author: string;
            tags: string[];
            /** Format: date-time */
            published_at: string;
        };
        Preferences: {
            /** @description In this order, until one takes the message. Legal notices go by the others besides. */
            channels: ("whatsapp" | "sms" | "email" | "push")[];
            /** @description Whether to be reminded before the due day. Of what is due and late everybody is reminded. */
            reminders_before_due: boolean;
            /** @description Whether to be told of offers of ours. */
            news: boolean;
        };
        /** @description RFC 9457 problem details. */
        Problem: {
            /**
             * Format: uri
             * @description A page that tells cause and remedy.
             */
            type: string;
            /** @description In Portuguese when `Accept-Language` prefers it. */
            title: string;
            status: number;
            /** @description What is wrong in this case, for people. */
            detail: string;
            /** @description What is wrong, for programs: stable. */
            code: string;
            /** @description To quote when asking for help. */
            request_id: string;
            /** @description Every field or parameter that is wrong. */
            errors?: {
                /** @description JSON Pointer to the field, or / and the name of the parameter. */
                pointer: string;
                message: string;
            }[];
        };
        PublicOffer: {
            /**
             * @description `expired` at `expires_at`, unless something came of it before.
             * @enum {unknown}
             */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            /** @description Whether it is somebody’s already: claimed, or made to a phone. Nobody else can claim it. */
            claimed: boolean;
            merchant: { slug: string; name: string; logo_url: string | null; };
            /**
             * Format: reais
             * @description What is bought for, in reais.
             */
            amount: number;
            description: string | null;
            /** @description What is bought, one by one, if the merchant said so. */
            items: {
                name: string;
                quantity: number;
                /**
                 * Format: reais
                 * @description For the whole quantity, in reais.
                 */
                amount: number;
            }[];
            quote: components["schemas"]["Quote"];
            /** @description Where the page leads back to, with `offer_id`, `status` and `reference` in its query. None: nowhere. */
            return_url: string | null;
            /**
             * Format: date-time
             * @description It can be accepted until then; one that nobody has claimed, be claimed.
             */
            expires_at: string;
        };
        Quote: {
            /**
             * Format: reais
             * @description What is bought for, in reais.
             */
            amount: number;
            installments: {
                number: number;
                /**
                 * Format: date
                 * @description When it falls due, in São Paulo.
                 */
                due_on: string;
                /**
                 * Format: reais
                 * @description What is due, in reais.
                 */
                amount: number;
            }[];
            /**
             * Format: reais
             * @description All installments together, in reais.
             */
            total: number;
            /**
             * Format: reais
             * @description What the credit costs: the total less the amount, in reais.
             */
            cost: number;
            /**
             * Format: reais
             * @description What all installments earn together if each is settled by its effective due day, in reais.
             */
            cashback_if_on_time: number;
            terms: components["schemas"]["Terms"];
        };
        QuoteOrder: {
            /**
             * Format: reais
             * @description What is bought for, in reais.
             */
            amount: number;
            /** @description One a week. */
            installments: number;
        };
        Redemption: {
            installment: components["schemas"]["Installment"];
            /** @description What was spent, in reais. */
            applied: number;
            /** @description What is available now, in reais. */
            balance: number;
        };
        RedemptionRequest: {
            /**
             * Format: reais
             * @description How much, in reais: at most what is available and what settles the installment now, which it is unless sent.
             */
            value?: number;
        };
        Referral: {
            /** @description To be read aloud: no 0, O, 1, I or L. */
            code: string;
            /**
             * Format: uri
             * @description To be shared.
             */
            link: string;
            reward: {
                /**
                 * Format: reais
                 * @description What an invitation that is made now brings the customer, in reais.
                 */
                referrer: number;
                /**
                 * Format: reais
                 * @description What it brings the invited, in reais.
                 */
                invited: number;
                /**
                 * Format: reais
                 * @description What the invited must have paid off installments by PIX, penalties and fees not counted, in reais.
                 */
                min_paid: number;
            };
            summary: {
                /** @description How many came with the code. */
                invited: number;
                /** @description How many of them paid enough in time. */
                rewarded: number;
                /**
                 * Format: reais
                 * @description What that brought the customer, in reais.
                 */
                earned: number;
            };
            /** @description The newest first. */
            invitations: {
                /** @description Masked: the first name, of others the first letter. */
                name: string;
                /**
                 * @description `registered` with the code, `rewarded` once enough was paid (`reward.min_paid`), `expired` after 90 days without.
                 * @enum {unknown}
                 */
                status: "registered" | "rewarded" | "expired";
                /** Format: date-time */
                invited_at: string;
                /** Format: date-time */
                rewarded_at: string | null;
                /**
                 * Format: reais
                 * @description What the customer got for it, in reais.
                 */
                reward: number;
            }[];
        };
        ReferralRewardedEvent: {
            /** @description The same however often and wherever it is told. */
            id: string;
            /** @constant */
            type: "referral.rewarded";
            /** Format: date-time */
            occurred_at: string;
            /**
             * Format: date
             * @description The version of the interface that `data` follows.
             */
            api_version: string;
            /** @description Counts the events of a purchase from 1. Null where it is of none. */
            sequence: number | null;
            /** @description A customer was credited for an invitation. */
            data: {
                /**
                 * @description Which side the customer is on.
                 * @enum {unknown}
                 */
                role: "referrer" | "invited";
                /** @description What the customer was credited. */
                reward: number;
            };
        };
        RefreshForm: { refresh_token: string; };
        ReturnOrder: {
            /**
             * Format: reais
             * @description How much of what was bought for, in reais; all that is left of it unless sent.
             */
            amount?: number;
            /**
             * Format: text
             * @description Why.
             */
            reason: string;
        };
        ReturnPreview: {
            /**
             * Format: reais
             * @description What was returned, of what was bought for, in reais.
             */
            amount: number;
            reason: string;
            /** Format: date-time */
            returned_at: string;
            /** @description What goes back by Pix, the newest payment first. */
            refunds: {
                /** @description The payment in the Pix network. */
                end_to_end_id: string;
                /**
                 * Format: reais
                 * @description What of it goes back, in reais.
                 */
                amount: number;
            }[];
            /**
             * Format: reais
             * @description What becomes cashback of the customer, because it cannot go back by Pix, in reais.
             */
            cashback: number;
            /** @description Which member of the merchant made it; null: the merchant’s own server, or the operator. */
            by: { id: string; name: string; } | null;
            checkout: components["schemas"]["Sale"];
            /** @description Whether it would wait for the operator first. */
            would_wait: boolean;
            merchant: {
                /**
                 * Format: reais
                 * @description What you are owed now; below zero you owe it, in reais.
                 */
                owed_before: number;
                /**
                 * Format: reais
                 * @description The same after the return, in reais.
                 */
                owed_after: number;
            };
        };
        Sale: {
            /** @description Identifies the purchase in addresses. */
            hash: string;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            merchant: { slug: string; name: string; logo_url: string | null; };
            description: string | null;
            /** Format: date-time */
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            /**
             * Format: date
             * @description The earliest due day of what is not paid.
             */
            next_due_on: string | null;
            /**
             * Format: date-time
             * @description When all of it was returned.
             */
            returned_at: string | null;
            customer: {
                /** @description Masked but for the first name. */
                name: string;
            };
            /** @description The offer it came from, if it did. */
            offer_id: string | null;
            /** @description Which member of the merchant made it; null: the merchant’s own server, or the operator. */
            by: { id: string; name: string; } | null;
            terms: components["schemas"]["AgreedTerms"];
            installments: {
                id: string;
                number: number;
                /**
                 * Format: date
                 * @description The due day, extensions included, in São Paulo.
                 */
                due_on: string;
                /**
                 * Format: date
                 * @description The next bank business day: until then nothing is late, in São Paulo.
                 */
                effective_due_on: string;
                /**
                 * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
                 * @enum {unknown}
                 */
                status: "open" | "overdue" | "paid";
                /**
                 * Format: reais
                 * @description As agreed, in reais.
                 */
                amount: number;
                /**
                 * Format: reais
                 * @description What was paid of the amount, in reais.
                 */
                paid: number;
                /**
                 * Format: reais
                 * @description What was given back for paying early, in reais.
                 */
                discount: number;
                /**
                 * Format: reais
                 * @description What it comes to less since something was returned; by rounding the last one may come to some centavos more, in reais.
                 */
                returned: number;
                /**
                 * Format: reais
                 * @description What is left of the amount, in reais.
                 */
                outstanding: number;
                penalty: {
                    /**
                     * Format: reais
                     * @description Fine not paid yet, in reais.
                     */
                    fine: number;
                    /**
                     * Format: reais
                     * @description Interest not paid yet, in reais.
                     */
                    interest: number;
                    /**
                     * Format: reais
                     * @description Both, in reais.
                     */
                    total: number;
                    /** @description Days since the effective due day. */
                    days_late: number;
                };
                /** @description What was paid on top of the amount, less what went back. */
                charges_paid: {
                    /**
                     * Format: reais
                     * @description Fine, in reais.
                     */
                    fine: number;
                    /**
                     * Format: reais
                     * @description Interest, in reais.
                     */
                    interest: number;
                    /**
                     * Format: reais
                     * @description Price of extensions, in reais.
                     */
                    extension_fee: number;
                };
                /**
                 * Format: reais
                 * @description Outstanding and penalty, in reais.
                 */
                total_due: number;
                /** Format: date-time */
                paid_at: string | null;
                /** @description How often it was extended. */
                extensions: number;
                /**
                 * Format: reais
                 * @description What it earns if it is settled by its effective due day: nothing on what was returned or paid with cashback. 0 once it is paid or late, in reais.
                 */
                cashback_if_on_time: number;
            }[];
        };
        SaleItem: {
            /** @description Identifies the purchase in addresses. */
            hash: string;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            merchant: { slug: string; name: string; logo_url: string | null; };
            description: string | null;
            /** Format: date-time */
            purchased_at: string;
            amounts: components["schemas"]["Amounts"];
            installments_total: number;
            installments_paid: number;
            /**
             * Format: date
             * @description The earliest due day of what is not paid.
             */
            next_due_on: string | null;
            /**
             * Format: date-time
             * @description When all of it was returned.
             */
            returned_at: string | null;
            customer: {
                /** @description Masked but for the first name. */
                name: string;
            };
            /** @description The offer it came from, if it did. */
            offer_id: string | null;
            /** @description Which member of the merchant made it; null: the merchant’s own server, or the operator. */
            by: { id: string; name: string; } | null;
        };
        SalePage: {
            data: components["schemas"]["SaleItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        SalesByDay: {
            /** @description Every day, in order, also those without a sale. */
            data: {
                /**
                 * Format: date
                 * @description The day, in São Paulo.
                 */
                day: string;
                /** @description How many sales were made. */
                sales: number;
                /**
                 * Format: reais
                 * @description What was sold, in reais.
                 */
                sold: number;
                /**
                 * Format: reais
                 * @description What was returned, whenever it was sold, in reais.
                 */
                returned: number;
            }[];
        };
        SignUpForm: {
            /**
             * Format: phone
             * @description International format (E.164), or as people in Brazil write it: 11 98765-0001. Answered in E.164.
             */
            phone: string;
            /**
             * Format: text
             * @description What the request for the code answered.
             */
            challenge_id: string;
            /** @description The six digits of the message. */
            code: string;
            /**
             * Format: text
             * @description Full name.
             */
            name: string;
            /**
             * Format: cpf
             * @description With or without punctuation. It is never shown again.
             */
            cpf: string;
            /**
             * Format: birth-date
             * @description YYYY-MM-DD.
             */
            birth_date: string;
            /** Format: email */
            email: string;
            /** @description Without one the customer logs in by code, and can set one. */
            password?: string;
            /**
             * Format: text
             * @description Of the customer who invited this one.
             */
            referral_code?: string;
            /** @description Version of the terms of use that were shown and agreed to. */
            terms: string;
        };
        /** @description The event of `Last-Event-ID` is not known (any more): the stream begins now, and something may have been missed. Read again what is shown. */
        StreamReset: {
            /** @constant */
            type: "reset";
            /** @constant */
            reason: "last_event_id_unknown";
        };
        SwitchForm: {
            /** @description The merchant to act for from now on. */
            merchant: string;
        };
        /** @description As agreed with the purchase; they never change. */
        Terms: {
            /** @description Interest a week; 0 splits the amount evenly, in percent. */
            weekly_rate_percent: number;
            /** @description Fine on what a due day left unpaid, once; at most 2, in percent. */
            fine_percent: number;
            /** @description Interest a month on what is late, simple, by the day; at most 1, in percent. */
            late_interest_percent: number;
            /** @description Price of an extension, on what is outstanding; at most 10, in percent. */
            extension_fee_percent: number;
            /** @description By how many days an extension moves the due day. */
            extension_days: number;
            /** @description How often an installment can be extended. */
            extension_limit: number;
            /** @description Share of each installment paid on time that comes back, in percent. */
            cashback_percent: number;
            /** @description What the credit costs in all a month (CET), a twelfth of the year, in percent. */
            cet_percent_month: number;
            /** @description What the credit costs in all a year of 365 days (CET), in percent. */
            cet_percent_year: number;
        };
        WaitingAnswer: { return: components["schemas"]["WaitingReturn"]; };
        WaitingReturn: {
            id: string;
            /**
             * @description `made`: the operator let it through, and it is a return with the same id.
             * @enum {unknown}
             */
            status: "waiting" | "made" | "refused";
            checkout_hash: string;
            /**
             * Format: reais
             * @description What is to be returned, of what was bought for, in reais.
             */
            amount: number;
            reason: string;
            /** Format: date-time */
            asked_at: string;
            /**
             * Format: date-time
             * @description When the operator decided.
             */
            closed_at: string | null;
            /** @description Why the operator refused. */
            refusal: string | null;
            /** @description Which member of the merchant made it; null: the merchant’s own server, or the operator. */
            by: { id: string; name: string; } | null;
        };
        WaitingReturnPage: {
            data: components["schemas"]["WaitingReturn"][];
            pagination: components["schemas"]["Pagination"];
        };
        WalletCalendar: {
            /** @description Everything that is not paid, the longest due first. */
            data: {
                installment_id: string;
                checkout_hash: string;
                merchant: string;
                number: number;
                /** @description How many installments the purchase has. */
                of: number;
                /**
                 * Format: date
                 * @description The day that was agreed, or bought by an extension.
                 */
                due_on: string;
                /**
                 * Format: date
                 * @description The day after which it is late.
                 */
                effective_due_on: string;
                /**
                 * Format: reais
                 * @description What is left of it, without penalties, in reais.
                 */
                outstanding: number;
            }[];
            /** @description Whether there is a secret address for calendars of others, and since when. */
            feed: {
                /** Format: date-time */
                created_at: string;
            } | null;
        };
        WalletCredit: {
            /**
             * Format: reais
             * @description How much may be owed, in reais.
             */
            limit: number;
            /**
             * Format: reais
             * @description How much is owed, in reais.
             */
            used: number;
            /**
             * Format: reais
             * @description What can be bought for, in reais.
             */
            available: number;
            /**
             * Format: reais
             * @description A higher limit that counts once the customer says yes, in reais.
             */
            offered: number | null;
            /** @description Why the limit is what it is, in sentences. */
            reasons: string[];
            /** @description What the customer can do, in a sentence. */
            next_step: string;
            /**
             * Format: date-time
             * @description Since when a person is looking at it; null when nobody was asked.
             */
            review: string | null;
        };
        /** @description Something that happened to the customer. `type` says what `data` is. */
        WalletEvent: components["schemas"]["CustomerRegisteredEvent"] | components["schemas"]["CheckoutCreatedEvent"] | components["schemas"]["CheckoutPaidEvent"] | components["schemas"]["CheckoutOverdueEvent"] | components["schemas"]["CheckoutReturnedEvent"] | components["schemas"]["InstallmentPaidEvent"] | components["schemas"]["InstallmentOverdueEvent"] | components["schemas"]["InstallmentExtendedEvent"] | components["schemas"]["InstallmentOverpaidEvent"] | components["schemas"]["InstallmentPayment_changedEvent"] | components["schemas"]["InstallmentReopenedEvent"] | components["schemas"]["PixCreatedEvent"] | components["schemas"]["PixPaidEvent"] | components["schemas"]["PixExpiredEvent"] | components["schemas"]["PixRefundedEvent"] | components["schemas"]["PixMovedEvent"] | components["schemas"]["AutopayActivatedEvent"] | components["schemas"]["AutopayEndedEvent"] | components["schemas"]["AutopayFailedEvent"] | components["schemas"]["CashbackChangedEvent"] | components["schemas"]["ReferralRewardedEvent"] | components["schemas"]["OfferCreatedEvent"] | components["schemas"]["OfferClaimedEvent"] | components["schemas"]["OfferAcceptedEvent"] | components["schemas"]["OfferDeclinedEvent"] | components["schemas"]["OfferExpiredEvent"] | components["schemas"]["OfferCancelledEvent"] | components["schemas"]["CreditReviewEvent"] | components["schemas"]["CreditDecidedEvent"] | components["schemas"]["CreditLimit_changedEvent"];
        WalletMessage: {
            id: string;
            /** @description Which message: `offer`, `reminder`, `payment_received`, ... */
            template: string;
            /** @description Of a reminder: days from the due day. */
            step: number | null;
            channel: ("whatsapp" | "sms" | "email" | "push") | null;
            text: string;
            /** @enum {unknown} */
            status: "queued" | "retrying" | "sent" | "delivered" | "read" | "failed" | "withdrawn";
            /** Format: date-time */
            sent_at: string;
        };
        WalletMessages: {
            data: components["schemas"]["WalletMessage"][];
            pagination: components["schemas"]["Pagination"];
        };
        WalletOffer: {
            id: string;
            /**
             * @description `expired` at `expires_at`, unless something came of it before.
             * @enum {unknown}
             */
            status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
            description: string | null;
            /** @description What is bought, one by one, if the merchant said so. */
            items: {
                name: string;
                quantity: number;
                /**
                 * Format: reais
                 * @description For the whole quantity, in reais.
                 */
                amount: number;
            }[];
            quote: components["schemas"]["Quote"];
            /**
             * Format: date-time
             * @description It can be accepted until then; one that nobody has claimed, be claimed.
             */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
            /** @description The purchase, once it was accepted. */
            checkout_hash: string | null;
            /** @description Where the page leads back to, with `offer_id`, `status` and `reference` in its query. None: nowhere. */
            return_url: string | null;
            merchant: { slug: string; name: string; logo_url: string | null; };
        };
        WalletOfferPage: {
            data: components["schemas"]["WalletOffer"][];
            pagination: components["schemas"]["Pagination"];
        };
        WalletSession: {
            id: string;
            /** @description Whether it is the one this is asked in. */
            is_current: boolean;
            /**
             * Format: date-time
             * @description When it began, with a login.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its tokens were exchanged last: it was in use then.
             */
            refreshed_at: string;
        };
        WalletSessionList: { data: components["schemas"]["WalletSession"][]; };
        WholeChargeRequest: {
            /**
             * @description `settle` pays what is outstanding; `settle_with_penalty` that and the penalties; `extend` buys a later due day.
             * @enum {unknown}
             */
            type: "settle" | "settle_with_penalty" | "extend";
            /**
             * Format: reais
             * @description A guard: if it is not what is due now, in reais, nothing is made.
             */
            value?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    getSigningKeys: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The keys that count now. */
            200: { content: { "application/json": components["schemas"]["Jwks"]; }; };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `after` of the last answer, or the `id` of an event. Without it, from the oldest that is kept. */
                after?: string;
                /** @description How many, at most 100. */
                limit?: number;
                /** @description Only these types, separated by commas. */
                types?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: { content: { "application/json": components["schemas"]["EventFeed"]; }; };
        };
    };
    streamPartnerEvents: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
            200: {
                content: {
                    "text/event-stream": components["schemas"]["PartnerEvent"] | components["schemas"]["StreamReset"];
                };
            };
        };
    };
    getMediaFile: {
        parameters: { query?: never; path: { name: string; }; };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: { content: { "image/*": string; }; };
        };
    };
    logOutMember: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["RefreshForm"]; }; };
        responses: {
            /** @description The session is over. */
            204: { content?: never; };
        };
    };
    sendMemberCode: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PhoneForm"]; }; };
        responses: {
            /** @description A code is on its way. */
            202: { content: { "application/json": components["schemas"]["CodeOnItsWay"]; }; };
        };
    };
    logInMember: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["MemberCodeLogin"]; }; };
        responses: {
            /** @description Logged in. */
            200: { content: { "application/json": components["schemas"]["MemberLogin"]; }; };
        };
    };
    refreshMember: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["RefreshForm"]; }; };
        responses: {
            /** @description The next tokens. */
            200: { content: { "application/json": components["schemas"]["MemberLogin"]; }; };
        };
    };
    switchMerchant: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["SwitchForm"]; }; };
        responses: {
            /** @description Logged in there. */
            200: { content: { "application/json": components["schemas"]["MemberLogin"]; }; };
        };
    };
    listSales: {
        parameters: {
            query?: {
                /** @description Only those in this status now. */
                status?: "open" | "overdue" | "paid";
                /** @description Only those bought on this day. */
                on?: string;
                /** @description Only those bought on this day or later. */
                from?: string;
                /** @description Only those bought on this day or before. */
                to?: string;
                /** @description Only the one with this hash. */
                hash?: string;
                /** @description Only what came of the open offer with this code. */
                code?: string;
                /** @description Only those for exactly this much. */
                amount?: number;
                /** @description Only of customers whose name, as far as you see it, has this text in it; among the newest 2000 of the period. */
                q?: string;
                /** @description Only those from offers of this member. */
                by?: string;
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sales. */
            200: { content: { "application/json": components["schemas"]["SalePage"]; }; };
        };
    };
    getSale: {
        parameters: {
            query?: never;
            path: {
                /** @description The hash, as in lists. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The sale. */
            200: { content: { "application/json": components["schemas"]["Sale"]; }; };
        };
    };
    returnSale: {
        parameters: {
            query?: {
                /** @description Only says what it would do. */
                dry_run?: "true" | "false";
            };
            path: {
                /** @description The hash, as in lists. */
                hash: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ReturnOrder"]; }; };
        responses: {
            /** @description A dry run: what it would do. */
            200: { content: { "application/json": components["schemas"]["ReturnPreview"]; }; };
            /** @description What came of it. */
            201: { content: { "application/json": components["schemas"]["MerchantReturn"]; }; };
            /** @description It waits for the operator. */
            202: { content: { "application/json": components["schemas"]["WaitingAnswer"]; }; };
        };
    };
    streamMerchantEvents: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
            200: {
                content: {
                    "text/event-stream": components["schemas"]["MerchantEvent"] | components["schemas"]["StreamReset"];
                };
            };
        };
    };
    getMerchantMe: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The member and the merchant. */
            200: { content: { "application/json": components["schemas"]["MerchantMe"]; }; };
        };
    };
    listMembers: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The members, the oldest first. */
            200: { content: { "application/json": { data: components["schemas"]["Member"][]; }; }; };
        };
    };
    addMember: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["MemberForm"]; }; };
        responses: {
            /** @description The member. */
            201: { content: { "application/json": components["schemas"]["Member"]; }; };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            path: {
                /** @description The member. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description They are out. */
            204: { content?: never; };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            path: {
                /** @description The member. */
                id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["MemberChange"]; }; };
        responses: {
            /** @description The member. */
            200: { content: { "application/json": components["schemas"]["Member"]; }; };
        };
    };
    listMemberSessions: {
        parameters: {
            query?: never;
            path: {
                /** @description The member. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: { content: { "application/json": components["schemas"]["MemberSessionList"]; }; };
        };
    };
    endMemberSession: {
        parameters: {
            query?: never;
            path: {
                /** @description The member. */
                id: string;
                /** @description The session, as in the list. */
                session: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The session is over. */
            204: { content?: never; };
        };
    };
    listOffers: {
        parameters: {
            query?: {
                /** @description Only those in this status now. */
                status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /** @description Only those that you called this. */
                reference?: string;
                /** @description Only the open offer with this code. */
                code?: string;
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of offers. */
            200: { content: { "application/json": components["schemas"]["MerchantOfferPage"]; }; };
        };
    };
    createOffer: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["OfferOrder"]; }; };
        responses: {
            /** @description There is an offer of this reference already, pending or accepted: this one. */
            200: { content: { "application/json": components["schemas"]["MerchantOffer"]; }; };
            /** @description The offer. */
            201: { content: { "application/json": components["schemas"]["MerchantOffer"]; }; };
        };
    };
    getOffer: {
        parameters: {
            query?: never;
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The offer. */
            200: { content: { "application/json": components["schemas"]["MerchantOffer"]; }; };
        };
    };
    cancelOffer: {
        parameters: {
            query?: never;
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The offer, cancelled. */
            200: { content: { "application/json": components["schemas"]["MerchantOffer"]; }; };
        };
    };
    getOwnPayoutAccount: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The account; null where nothing is known. */
            200: { content: { "application/json": components["schemas"]["OwnPayoutAccount"]; }; };
        };
    };
    changeOwnPayoutAccount: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["OwnPayoutAccountForm"]; }; };
        responses: {
            /** @description The account, and the change that waits. */
            200: { content: { "application/json": components["schemas"]["OwnPayoutAccount"]; }; };
        };
    };
    listOwnPayouts: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                status?: "pending" | "paid" | "failed";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: { content: { "application/json": components["schemas"]["PayoutPage"]; }; };
        };
    };
    getOwnPayout: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path: {
                /** @description The payout. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The payout. */
            200: { content: { "application/json": components["schemas"]["PayoutWithLines"]; }; };
        };
    };
    quoteSale: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["QuoteOrder"]; }; };
        responses: {
            /** @description The quote. */
            200: { content: { "application/json": components["schemas"]["Quote"]; }; };
        };
    };
    listWaitingReturns: {
        parameters: {
            query?: {
                status?: "waiting" | "made" | "refused";
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of returns. */
            200: { content: { "application/json": components["schemas"]["WaitingReturnPage"]; }; };
        };
    };
    listSalesByDay: {
        parameters: {
            query?: {
                /** @description The first day, in São Paulo. */
                from?: string;
                /** @description The last day; today unless sent, in São Paulo. */
                to?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days. */
            200: { content: { "application/json": components["schemas"]["SalesByDay"]; }; };
        };
    };
    getMerchantStatement: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description On or after this day, in São Paulo. */
                from?: string;
                /** @description On or before this day, in São Paulo. */
                to?: string;
                /** @description Answers with CSV, as `Accept: text/csv` does. `br`: semicolons, decimal commas and a byte order mark, for a spreadsheet set up for Brazil; so it is too when `Accept-Language` prefers Portuguese. `plain`: RFC 4180. */
                csv?: "plain" | "br";
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the statement. */
            200: {
                content: {
                    "application/json": components["schemas"]["AccountStatement"];
                    "text/csv": string;
                };
            };
        };
    };
    getMerchantSummary: {
        parameters: {
            query?: {
                /** @description The day; today unless sent, in São Paulo. */
                on?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The day. */
            200: { content: { "application/json": components["schemas"]["MerchantSummary"]; }; };
        };
    };
    getAgreement: {
        parameters: {
            query?: never;
            path: {
                /** @description `terms`: of use. `privacy`: what is done with personal data. */
                kind: "terms" | "privacy";
            };
        };
        requestBody?: never;
        responses: {
            /** @description The text. */
            200: { content: { "application/json": components["schemas"]["Agreement"]; }; };
        };
    };
    listPosts: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of posts. */
            200: { content: { "application/json": components["schemas"]["PostPage"]; }; };
        };
    };
    getPost: {
        parameters: {
            query?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The post, as Markdown and as HTML. */
            200: { content: { "application/json": components["schemas"]["Post"]; }; };
        };
    };
    listCategories: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The categories. */
            200: { content: { "application/json": components["schemas"]["CategoryList"]; }; };
        };
    };
    getCreditor: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The creditor. */
            200: { content: { "application/json": components["schemas"]["Creditor"]; }; };
        };
    };
    listFaq: {
        parameters: {
            query?: {
                /** @description Only those of this topic. */
                topic?: string;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Questions and answers, topic by topic. */
            200: { content: { "application/json": components["schemas"]["FaqList"]; }; };
        };
    };
    createLead: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["LeadForm"]; }; };
        responses: {
            /** @description The lead is stored. */
            201: { content: { "application/json": components["schemas"]["Lead"]; }; };
        };
    };
    listMerchants: {
        parameters: {
            query?: {
                /** @description Slug of a category. */
                category?: string;
                /** @description Text to search for. */
                q?: string;
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of merchants. */
            200: { content: { "application/json": components["schemas"]["MerchantPage"]; }; };
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The merchant. */
            200: { content: { "application/json": components["schemas"]["Merchant"]; }; };
        };
    };
    quotePurchase: {
        parameters: {
            query: {
                /** @description What is bought for, in reais. */
                amount: number;
                /** @description One a week. */
                installments: number;
            };
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The quote. */
            200: { content: { "application/json": components["schemas"]["Quote"]; }; };
        };
    };
    getOpenOffer: {
        parameters: {
            query?: never;
            path: {
                /** @description Of the link: what follows /pagar/, or of an offer to a phone its id. */
                token: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The offer. */
            200: { content: { "application/json": components["schemas"]["PublicOffer"]; }; };
        };
    };
    logIn: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PasswordLogin"]; }; };
        responses: {
            /** @description Logged in. */
            200: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    logOut: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["RefreshForm"]; }; };
        responses: {
            /** @description The session is over. */
            204: { content?: never; };
        };
    };
    sendCode: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PhoneForm"]; }; };
        responses: {
            /** @description A code is on its way. */
            202: { content: { "application/json": components["schemas"]["CodeOnItsWay"]; }; };
        };
    };
    logInByCode: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CodeLogin"]; }; };
        responses: {
            /** @description Logged in. */
            200: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    setPassword: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["NewPassword"]; }; };
        responses: {
            /** @description The password is set. */
            204: { content?: never; };
        };
    };
    checkPhone: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["PhoneForm"]; }; };
        responses: {
            /** @description What the phone can do. */
            200: { content: { "application/json": components["schemas"]["PhoneCheck"]; }; };
        };
    };
    refresh: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["RefreshForm"]; }; };
        responses: {
            /** @description The next tokens. */
            200: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    signUp: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["SignUpForm"]; }; };
        responses: {
            /** @description The customer, logged in. */
            201: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    getCalendar: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The calendar. */
            200: { content: { "application/json": components["schemas"]["WalletCalendar"]; }; };
        };
    };
    makeCalendarFeed: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The address. It is not shown again. */
            201: { content: { "application/json": components["schemas"]["CalendarFeed"]; }; };
        };
    };
    endCalendarFeed: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description It is ended. */
            204: { content?: never; };
        };
    };
    getCashbackBalance: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: { content: { "application/json": components["schemas"]["CashbackBalance"]; }; };
        };
    };
    listCashbackEntries: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description Only so many entries, counted from the oldest; `Link` has it. */
                up_to?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the statement. */
            200: { content: { "application/json": components["schemas"]["CashbackLedger"]; }; };
        };
    };
    listCheckouts: {
        parameters: {
            query?: {
                /** @description Only those in this status now. */
                status?: "open" | "overdue" | "paid";
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of purchases. */
            200: { content: { "application/json": components["schemas"]["CheckoutPage"]; }; };
        };
    };
    getCheckout: {
        parameters: {
            query?: never;
            path: {
                /** @description The hash, as in lists. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The purchase. */
            200: { content: { "application/json": components["schemas"]["Checkout"]; }; };
        };
    };
    getAutopay: {
        parameters: {
            query?: never;
            path: {
                /** @description The purchase. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The authorisation. */
            200: { content: { "application/json": components["schemas"]["Autopay"]; }; };
        };
    };
    askAutopay: {
        parameters: {
            query?: never;
            path: {
                /** @description The purchase. */
                hash: string;
            };
        };
        requestBody?: { content: { "application/json": components["schemas"]["AutopayRequest"]; }; };
        responses: {
            /** @description There is such a code already: this one. */
            200: { content: { "application/json": components["schemas"]["Autopay"]; }; };
            /** @description The authorisation, with the code for the bank. */
            201: { content: { "application/json": components["schemas"]["Autopay"]; }; };
        };
    };
    endAutopay: {
        parameters: {
            query?: never;
            path: {
                /** @description The purchase. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description It is ended. */
            204: { content?: never; };
        };
    };
    getContract: {
        parameters: {
            query?: never;
            path: {
                /** @description The hash, as in lists. */
                hash: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The contract. */
            200: { content: { "application/pdf": string; }; };
        };
    };
    getCredit: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The limit. */
            200: { content: { "application/json": components["schemas"]["WalletCredit"]; }; };
        };
    };
    acceptCreditLimit: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The limit, which counts now. */
            200: { content: { "application/json": components["schemas"]["WalletCredit"]; }; };
        };
    };
    askCreditReview: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description A person was asked already. */
            200: { content: { "application/json": components["schemas"]["CreditReviewAsked"]; }; };
            /** @description A person will look at it. */
            201: { content: { "application/json": components["schemas"]["CreditReviewAsked"]; }; };
        };
    };
    changeOwnEmail: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["NewEmail"]; }; };
        responses: {
            /** @description The customer. */
            200: { content: { "application/json": components["schemas"]["Customer"]; }; };
        };
    };
    checkErasure: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description What has to be settled first. */
            200: { content: { "application/json": components["schemas"]["ErasureCheck"]; }; };
        };
    };
    eraseOwnAccount: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["CodeProof"]; }; };
        responses: {
            /** @description Nothing tells who it was any more. */
            204: { content?: never; };
        };
    };
    streamEvents: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
            200: {
                content: {
                    "text/event-stream": components["schemas"]["WalletEvent"] | components["schemas"]["StreamReset"];
                };
            };
        };
    };
    exportOwnData: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description Everything, by table. */
            200: { content: { "application/json": components["schemas"]["CustomerExport"]; }; };
        };
    };
    payWithCashback: {
        parameters: {
            query?: never;
            path: {
                /** @description The installment, as in its purchase. */
                id: string;
            };
        };
        requestBody?: { content: { "application/json": components["schemas"]["RedemptionRequest"]; }; };
        responses: {
            /** @description What was paid, and what is left. */
            201: { content: { "application/json": components["schemas"]["Redemption"]; }; };
        };
    };
    listPix: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path: {
                /** @description The installment, as in the purchase. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description A page of charges. */
            200: { content: { "application/json": components["schemas"]["PixChargePage"]; }; };
        };
    };
    createPix: {
        parameters: {
            query?: never;
            path: {
                /** @description The installment, as in the purchase. */
                id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ChargeRequest"]; }; };
        responses: {
            /** @description There is such a charge already: this one. */
            200: { content: { "application/json": components["schemas"]["PixCharge"]; }; };
            /** @description The charge, with the code to pay it. */
            201: { content: { "application/json": components["schemas"]["PixCharge"]; }; };
        };
    };
    getMe: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: { content: { "application/json": components["schemas"]["Customer"]; }; };
        };
    };
    listWalletMessages: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: { content: { "application/json": components["schemas"]["WalletMessages"]; }; };
        };
    };
    listWalletOffers: {
        parameters: {
            query?: {
                /** @description Only those in this status now. */
                status?: "pending" | "accepted" | "declined" | "expired" | "cancelled";
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of offers. */
            200: { content: { "application/json": components["schemas"]["WalletOfferPage"]; }; };
        };
    };
    getWalletOffer: {
        parameters: {
            query?: {
                /** @description In fewer installments than offered, if so. */
                installments?: number;
            };
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The offer. */
            200: { content: { "application/json": components["schemas"]["WalletOffer"]; }; };
        };
    };
    acceptOffer: {
        parameters: {
            query?: never;
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
        };
        requestBody?: { content: { "application/json": components["schemas"]["InstallmentsChoice"]; }; };
        responses: {
            /** @description The purchase. */
            201: { content: { "application/json": components["schemas"]["Checkout"]; }; };
        };
    };
    declineOffer: {
        parameters: {
            query?: never;
            path: {
                /** @description The id, as in lists. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description It is declined. */
            204: { content?: never; };
        };
    };
    claimOffer: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["OfferClaim"]; }; };
        responses: {
            /** @description The offer. */
            200: { content: { "application/json": components["schemas"]["WalletOffer"]; }; };
        };
    };
    changeOwnPhone: {
        parameters: { query?: never; path?: never; };
        requestBody: { content: { "application/json": components["schemas"]["NewPhone"]; }; };
        responses: {
            /** @description Logged in with the new phone. */
            200: { content: { "application/json": components["schemas"]["Login"]; }; };
        };
    };
    getPhoneChange: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The change that waits. */
            200: { content: { "application/json": components["schemas"]["OwnPhoneChange"]; }; };
        };
    };
    cancelOwnPhoneChange: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The phone stays as it is. */
            204: { content?: never; };
        };
    };
    getPix: {
        parameters: {
            query?: never;
            path: {
                /** @description The charge. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The charge as it is now. */
            200: { content: { "application/json": components["schemas"]["PixChargeWithRefunds"]; }; };
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            path: {
                /** @description The charge. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: { content: { "application/pdf": string; }; };
        };
    };
    getPreferences: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The preferences. */
            200: { content: { "application/json": components["schemas"]["Preferences"]; }; };
        };
    };
    setPreferences: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In this order, until one takes the message. Legal notices go by the others besides. */
                    channels?: ("whatsapp" | "sms" | "email" | "push")[];
                    /** @description Whether to be reminded before the due day. Of what is due and late everybody is reminded. */
                    reminders_before_due?: boolean;
                    /** @description Whether to be told of offers of ours. */
                    news?: boolean;
                };
            };
        };
        responses: {
            /** @description The preferences as they are now. */
            200: { content: { "application/json": components["schemas"]["Preferences"]; }; };
        };
    };
    getPush: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The key to subscribe with, and how many browsers have. */
            200: {
                content: {
                    "application/json": {
                        /** @description For `applicationServerKey` of PushManager; null: there is no Web Push here. */
                        public_key: string | null;
                        browsers: number;
                    };
                };
            };
        };
    };
    addPush: {
        parameters: { query?: never; path?: never; };
        requestBody: {
            content: {
                "application/json": {
                    endpoint: string;
                    expirationTime?: number | null;
                    keys: {
                        /** @description Of the browser. */
                        p256dh: string;
                        /** @description Its secret. */
                        auth: string;
                    };
                };
            };
        };
        responses: {
            /** @description It is told from now on. */
            204: { content?: never; };
        };
    };
    endPush: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description No browser of the customer’s is told any more. */
            204: { content?: never; };
        };
    };
    getReferral: {
        parameters: {
            query?: {
                /** @description Which page; the first is 1. */
                page?: number;
                /** @description How many to a page, at most 100. */
                limit?: number;
                /** @description Only so many invitations, counted from the oldest; `Link` has it. */
                up_to?: number;
            };
            path?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The referral program. */
            200: { content: { "application/json": components["schemas"]["Referral"]; }; };
        };
    };
    listSessions: {
        parameters: { query?: never; path?: never; };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: { content: { "application/json": components["schemas"]["WalletSessionList"]; }; };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            path: {
                /** @description The id, as in the list. */
                id: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The session is over. */
            204: { content?: never; };
        };
    };
    getStatement: {
        parameters: {
            query?: never;
            path: {
                /** @description The year. */
                year: string;
            };
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: { content: { "application/pdf": string; }; };
        };
    };
}
