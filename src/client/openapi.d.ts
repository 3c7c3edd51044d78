// Made by 'npm run generate' from openapi.json.
export interface components {
    schemas: {
        Amounts: {
            /** @description What was bought for, in reais. */
            financed: number;
            /** @description What was paid of the installments, penalties and fees not counted, in reais. */
            paid: number;
            /** @description What is still to be paid of the installments, in reais. */
            outstanding: number;
            /** @description Fines and interest as of now, in reais. */
            penalties: number;
            /** @description Outstanding and penalties, in reais. */
            total_due: number;
        };
        CashbackBalance: {
            /** @description What the customer has now. Below zero when cashback was taken back that had been used; what is earned next fills it up, in reais. */
            available: number;
            /** @description What the open installments would still earn if all were paid on time, in reais. */
            pending: number;
            /** @description All that is available, by the day it ends, the next first. */
            expiring: {
                /** @description How much, in reais. */
                amount: number;
                /**
                 * Format: date
                 * @description The last day on which it counts, in São Paulo.
                 */
                expires_on: string;
            }[];
            /** @description All that was ever earned, by paying on time and by inviting, less what was taken back, in reais. */
            lifetime_earned: number;
        };
        CashbackEntry: {
            id: string;
            /**
             * @description `earned` by paying an installment on time, `referral` for an invitation, `redeemed`, `expired`, `reversed`: taken back because a payment was, `adjusted` by the operator.
             * @enum {unknown}
             */
            kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
            /** @description Above zero what came, below zero what went, in reais. */
            amount: number;
            /** @description What the customer had then, in reais. */
            balance_after: number;
            /** @description For the customer, in Portuguese. */
            description: string;
            /** @description The purchase it is about, if it is about one. */
            checkout_hash: string | null;
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
        CategoryList: {
            data: components["schemas"]["Category"][];
        };
        ChargeRequest: components["schemas"]["WholeChargeRequest"] | components["schemas"]["PartialChargeRequest"];
        Checkout: {
            /** @description Identifies the purchase in addresses. */
            hash: string;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            merchant: {
                slug: string;
                name: string;
                logo_url: string | null;
            };
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
            terms: components["schemas"]["Terms"];
            installments: components["schemas"]["Installment"][];
        };
        CheckoutItem: {
            /** @description Identifies the purchase in addresses. */
            hash: string;
            /**
             * @description `overdue` from the day after the effective due day, while something is owed, and while nothing but penalties is.
             * @enum {unknown}
             */
            status: "open" | "overdue" | "paid";
            merchant: {
                slug: string;
                name: string;
                logo_url: string | null;
            };
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
        };
        CheckoutPage: {
            data: components["schemas"]["CheckoutItem"][];
            pagination: components["schemas"]["Pagination"];
        };
        CodeLogin: {
            /**
             * Format: phone
             * @description International format (E.164).
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
                /** @description How much may be owed at most, in reais. */
                limit: number;
                /** @description What is owed on all purchases, in reais. */
                used: number;
                /** @description How much can still be bought for, in reais. */
                available: number;
            };
        };
        FaqEntry: {
            id: string;
            /** @description Lower-case word, usable as the filter `topic`. */
            topic: string;
            question: string;
            answer: string;
        };
        FaqList: {
            data: components["schemas"]["FaqEntry"][];
        };
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
            /** @description As agreed, in reais. */
            amount: number;
            /** @description What was paid of the amount, in reais. */
            paid: number;
            /** @description What was given back for paying early, in reais. */
            discount: number;
            /** @description What is left of the amount, in reais. */
            outstanding: number;
            penalty: {
                /** @description Fine not paid yet, in reais. */
                fine: number;
                /** @description Interest not paid yet, in reais. */
                interest: number;
                /** @description Both, in reais. */
                total: number;
                /** @description Days since the effective due day. */
                days_late: number;
            };
            /** @description Outstanding and penalty, in reais. */
            total_due: number;
            /** Format: date-time */
            paid_at: string | null;
            /** @description How often it was extended. */
            extensions: number;
            /** @description What can be generated now, and for how much. */
            pix_options: ({
                /** @enum {unknown} */
                type: "settle" | "settle_with_penalty";
                /** @description What it costs now, in reais. */
                value: number;
            } | {
                /** @constant */
                type: "settle_partial";
                /** @description The least, in reais. */
                min: number;
                /** @description The most, which settles it, in reais. */
                max: number;
            } | {
                /** @constant */
                type: "extend";
                /** @description What it costs now, in reais. */
                value: number;
                /**
                 * Format: date
                 * @description The due day if it is paid today, in São Paulo.
                 */
                due_on: string;
            })[];
        };
        Jwks: {
            keys: {
                kty: string;
                crv: string;
                x: string;
                kid: string;
                alg: string;
                use: string;
            }[];
        };
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
             * @description International format (E.164), e.g. +5511987654321.
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
             * @description International format (E.164), e.g. +5511987654321.
             */
            phone: string;
            /** Format: text */
            company?: string;
            /** Format: text */
            message?: string;
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
        Merchant: {
            /** @description Identifies the merchant in addresses. */
            slug: string;
            name: string;
            category: {
                slug: string;
                name: string;
            };
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
        MerchantPage: {
            data: components["schemas"]["Merchant"][];
            pagination: components["schemas"]["Pagination"];
        };
        NewPassword: {
            /**
             * Format: phone
             * @description International format (E.164).
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
        PasswordLogin: {
            /**
             * Format: phone
             * @description International format (E.164).
             */
            phone: string;
            password: string;
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
             * @description International format (E.164).
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
        Referral: {
            /** @description To be read aloud: no 0, O, 1, I or L. */
            code: string;
            /**
             * Format: uri
             * @description To be shared.
             */
            link: string;
            reward: {
                /** @description What an invitation that is made now brings the customer, in reais. */
                referrer: number;
                /** @description What it brings the invited, in reais. */
                invited: number;
            };
            summary: {
                /** @description How many came with the code. */
                invited: number;
                /** @description How many of them settled a first installment in time. */
                rewarded: number;
                /** @description What that brought the customer, in reais. */
                earned: number;
            };
            /** @description The newest first. */
            invitations: {
                /** @description Masked: the first name, of others the first letter. */
                name: string;
                /**
                 * @description `registered` with the code, `rewarded` once a first installment was settled, `expired` after 90 days without.
                 * @enum {unknown}
                 */
                status: "registered" | "rewarded" | "expired";
                /** Format: date-time */
                invited_at: string;
                /** Format: date-time */
                rewarded_at: string | null;
                /** @description What the customer got for it, in reais. */
                reward: number;
            }[];
        };
        RefreshForm: {
            refresh_token: string;
        };
        /** @description The event of `Last-Event-ID` is not known (any more): the stream begins now, and something may have been missed. Read again what is shown. */
        StreamReset: {
            /** @constant */
            type: "reset";
            /** @constant */
            reason: "last_event_id_unknown";
        };
        /** @description As agreed with the purchase; they never change. */
        Terms: {
            /** @description Interest a week; 0 splits the amount evenly, in percent. */
            weekly_rate_percent: number;
            /** @description Fine on what a due day left unpaid, once; at most 2, in percent. */
            fine_percent: number;
            /** @description Interest a month on what is late, simple, by the day; at most 1, in percent. */
            late_interest_percent: number;
            /** @description Price of an extension, on what is outstanding, in percent. */
            extension_fee_percent: number;
            /** @description By how many days an extension moves the due day. */
            extension_days: number;
            /** @description How often an installment can be extended. */
            extension_limit: number;
            /** @description Share of each installment paid on time that comes back, in percent. */
            cashback_percent: number;
        };
        WalletEvent: {
            /** @description The same as the `id` of the event in the stream. */
            id: string;
            /**
             * @description The same as the name of the event in the stream.
             * @enum {unknown}
             */
            type: "lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "installment.paid" | "installment.extended" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "cashback.changed" | "referral.rewarded";
            /** Format: date-time */
            occurred_at: string;
            /** @description What it is about: depends on the type. */
            data: {
                [key: string]: unknown;
            };
        };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of merchants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantPage"];
                };
            };
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
        };
    };
    listCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The categories. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryList"];
                };
            };
        };
    };
    listFaq: {
        parameters: {
            query?: {
                /** @description Only those of this topic. */
                topic?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Questions and answers, topic by topic. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaqList"];
                };
            };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of posts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostPage"];
                };
            };
        };
    };
    getPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug, as in lists. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The post, as Markdown and as HTML. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
        };
    };
    createLead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadForm"];
            };
        };
        responses: {
            /** @description The lead is stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
        };
    };
    checkPhone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhoneForm"];
            };
        };
        responses: {
            /** @description What the phone can do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneCheck"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordLogin"];
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    sendCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhoneForm"];
            };
        };
        responses: {
            /** @description A code is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeOnItsWay"];
                };
            };
        };
    };
    logInByCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeLogin"];
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    setPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            /** @description The password is set. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshForm"];
            };
        };
        responses: {
            /** @description The next tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshForm"];
            };
        };
        responses: {
            /** @description The session is over. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    getSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys that count now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of purchases. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutPage"];
                };
            };
        };
    };
    getCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The hash, as in lists. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The purchase. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
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
            header?: never;
            path: {
                /** @description The installment, as in the purchase. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixChargePage"];
                };
            };
        };
    };
    createPix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The installment, as in the purchase. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChargeRequest"];
            };
        };
        responses: {
            /** @description There is such a charge already: this one. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixCharge"];
                };
            };
            /** @description The charge, with the code to pay it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixCharge"];
                };
            };
        };
    };
    getPix: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The charge. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The charge as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PixCharge"];
                };
            };
        };
    };
    getCashbackBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CashbackBalance"];
                };
            };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CashbackLedger"];
                };
            };
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The referral program. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Referral"];
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. Each event has an `id`, its type in `event`, and in `data` a JSON object, which the schema describes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["WalletEvent"] | components["schemas"]["StreamReset"];
                };
            };
        };
    };
}
