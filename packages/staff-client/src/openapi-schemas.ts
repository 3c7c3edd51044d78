// Made by 'npm run generate' from openapi.json.
export interface Schemas {
    ListQuery: {
        page?: number;
        limit?: number;
        after?: string;
        before?: string;
        sort?: "newest" | "oldest";
        csv?: "plain" | "br";
    };
    AgingReport: {
        on: string;
        worked_out_at: string;
        data: {
            days_late: "1-7" | "8-30" | "31-90" | "90+";
            installments: number;
            outstanding: number;
            written_off: number;
        }[];
        outstanding: number;
    };
    AgreedTerms: Schemas["Terms"] & { contract_sha256: string | null; };
    Amounts: {
        financed: number;
        paid: number;
        returned: number;
        outstanding: number;
        penalties: number;
        total_due: number;
    };
    ApiKey: Schemas["StaffKey"] & {
        partner: { id: string; name: string; };
        scopes: ("public" | "wallet" | "merchant" | "till" | "operator")[];
        merchant_id: number | null;
        person_id: string | null;
        origins: string[];
        return_origins: string[];
        backend: boolean;
        requests_per_minute: number | null;
        expires_at: string | null;
        revoked_at: string | null;
    };
    ApiKeyItem: Schemas["ApiKey"] & { merchant: string | null; };
    Approval: {
        id: string;
        kind: string;
        amount: number | null;
        subject: { kind: string; id: string; name: string | null; };
        change: { field: string; before: unknown; after: unknown; }[];
        reason: string | null;
        status: "waiting" | "approved" | "refused" | "failed" | "expired";
        asked_by: { id: string; name: string; };
        asked_at: string;
        expires_at: string;
        decided_by: { id: string; name: string; } | null;
        decided_at: string | null;
        outcome: string | null;
    };
    ApprovalRefusal: { reason: string; };
    ApprovedAct: { approval: Schemas["Approval"]; result: unknown; };
    AssignedOrphan: {
        end_to_end_id: string;
        value: number;
        customer_id: string;
        checkout_hash: string;
        received_at: string;
        too_much: number;
        installment: Schemas["Installment"];
    };
    AuditTrailEntry: {
        id: number;
        at: string;
        actor: string;
        actor_name: string | null;
        address: string | null;
        request_id: string | null;
        action: string;
        subject: string;
        before: Record<string, never> | null;
        after: Record<string, never> | null;
        reason: string | null;
        approved_by: string | null;
        approved_by_name: string | null;
    };
    AutopayReport: {
        on: string;
        from: string;
        data: {
            try: number;
            tried: number;
            paid: number;
            paid_percent: number | null;
            paid_value: number;
        }[];
        purchases: { open: number; on_autopay: number; percent: number | null; };
    };
    CashbackAdjustment: { amount: number; reason: string; reference?: string; };
    CashbackReport: {
        on: string;
        owed: number;
        month: {
            earned: number;
            referral: number;
            adjusted: number;
            redeemed: number;
            expired: number;
            reversed: number;
        };
    };
    CheckoutOrder: {
        customer: string;
        merchant: string;
        amount: number;
        installments: number;
        description?: string;
        terms?: {
            weekly_rate_percent?: number;
            fine_percent?: number;
            late_interest_percent?: number;
            extension_fee_percent?: number;
            extension_days?: number;
            extension_limit?: number;
            cashback_percent?: number;
        };
        purchased_at?: string;
        dry_run?: boolean;
    };
    CheckoutReceipt: {
        source: "pix" | "cashback" | "manual";
        end_to_end_id: string | null;
        received_at: string;
        amount: number;
        applied: {
            number: number;
            interest: number;
            fine: number;
            extension_fee: number;
            principal: number;
            discount: number;
        }[];
        refunded: number;
        cashback: number;
        excess: number;
        gone: number;
    };
    CheckoutReturn: {
        id: string;
        status: "waiting" | "made" | "refused";
        amount: number;
        reason: string;
        asked_at: string;
        by: string;
        by_name: string | null;
        refunds: { end_to_end_id: string; amount: number; }[];
        cashback: number;
        refusal: string | null;
    };
    ClockMove: {
        advance: string;
        now?: string;
    } | { advance?: string; now: string; };
    ClockReading: { now: string; offset_seconds: number; };
    CodeOnItsWay: { challenge_id: string; expires_at: string; resend_after: string; };
    CodeProof: { challenge_id: string; code: string; };
    CohortsReport: {
        on: string;
        worked_out_at: string;
        data: {
            week: string;
            purchases: number;
            financed: number;
            total: number;
            paid: number;
            discount: number;
            returned: number;
            outstanding: number;
            overdue: number;
            written_off: number;
            paid_percent: number | null;
            overdue_percent: number | null;
        }[];
        total: {
            purchases: number;
            financed: number;
            total: number;
            paid: number;
            discount: number;
            returned: number;
            outstanding: number;
            overdue: number;
            written_off: number;
            paid_percent: number | null;
            overdue_percent: number | null;
        };
    };
    Contract: {
        checkout_hash: string;
        offer_id: string | null;
        accepted_at: string;
        creditor: Schemas["Creditor"];
        customer: { name: string; cpf: string; };
        merchant: { slug: string; name: string; };
        description: string | null;
        items: { name: string; quantity: number; amount: number; }[];
        terms: Schemas["Terms"];
        cost: {
            total: number;
            components: {
                kind: "financed" | "interest" | "taxes" | "fees";
                amount: number;
                percent: number;
            }[];
        };
        installments: { number: number; due_on: string; amount: number; }[];
        clauses: { heading: string; text: string; }[];
    };
    CreditApproval: { limit?: number; reason?: string; };
    CreditDecision: {
        id: string;
        customer_id: string;
        moment: "signup" | "accept" | "growth" | "late" | "review";
        outcome: "approved" | "review" | "declined";
        limit: number;
        reasons: string[];
        policy_version: number;
        facts: { [key: string]: unknown; };
        offer_id: string | null;
        shadow_outcome: "approved" | "review" | "declined" | null;
        decided_at: string;
        answered_by: string | null;
        answered_at: string | null;
        answer_reason: string | null;
    };
    CreditDecisionItem: Schemas["CreditDecision"] & { customer_name: string | null; };
    CreditPolicy: {
        first_limit: number;
        growth: { paid_on_time: number; paid_amount: number; limit: number; }[];
        late: { days: number; keep_percent: number; }[];
        rules: {
            age_years?: { review?: number; declined?: number; };
            account_days?: { review?: number; declined?: number; };
            bureau_score?: { review?: number; declined?: number; };
            bureau_cpf_irregular?: { review?: number; declined?: number; };
            days_late?: { review?: number; declined?: number; };
            worst_days_late?: { review?: number; declined?: number; };
            refusals_month?: { review?: number; declined?: number; };
            merchant_loss_percent?: { review?: number; declined?: number; };
            offers_hour?: { review?: number; declined?: number; };
            signups_address_day?: { review?: number; declined?: number; };
            signups_network_day?: { review?: number; declined?: number; };
            signups_device?: { review?: number; declined?: number; };
            referral_ring?: { review?: number; declined?: number; };
            former_member?: { review?: number; declined?: number; };
            young_buyers_day?: { review?: number; declined?: number; };
        };
        signals: {
            age_years?: { at: number; weight: number; };
            account_days?: { at: number; weight: number; };
            bureau_score?: { at: number; weight: number; };
            bureau_cpf_irregular?: { at: number; weight: number; };
            days_late?: { at: number; weight: number; };
            worst_days_late?: { at: number; weight: number; };
            refusals_month?: { at: number; weight: number; };
            merchant_loss_percent?: { at: number; weight: number; };
            offers_hour?: { at: number; weight: number; };
            signups_address_day?: { at: number; weight: number; };
            signups_network_day?: { at: number; weight: number; };
            signups_device?: { at: number; weight: number; };
            referral_ring?: { at: number; weight: number; };
            former_member?: { at: number; weight: number; };
            young_buyers_day?: { at: number; weight: number; };
        };
        review_weight: number;
        decline_weight: number;
        merchant_caps: { merchant: string; limit: number; }[];
        bureau_days: number;
    };
    CreditPolicyForm: {
        policy?: Schemas["CreditPolicy"];
        shadow?: Schemas["CreditPolicy"] | null;
        reason?: string;
    };
    CreditPolicyInForce: {
        version: number;
        policy: Schemas["CreditPolicy"];
        set_by: string | null;
        set_at: string | null;
        shadow: {
            version: number;
            policy: Schemas["CreditPolicy"];
            set_by: string | null;
            set_at: string | null;
            figures: Schemas["CreditPolicyTried"];
        } | null;
    };
    CreditPolicyInForceWithApproval: Schemas["CreditPolicyInForce"] & { approval?: Schemas["Approval"]; };
    CreditPolicyTried: {
        decisions: number;
        same: number;
        changes: {
            from: "approved" | "review" | "declined";
            to: "approved" | "review" | "declined";
            moment: "signup" | "accept" | "growth" | "late" | "review";
            decisions: number;
            limit_difference: number;
        }[];
        refused: { purchases: number; sold: number; paid: number; late: number; written_off: number; };
    };
    CreditPolicyTry: { policy: Schemas["CreditPolicy"]; };
    CreditPolicyVersion: {
        version: number;
        role: "force" | "shadow";
        policy: Record<string, never> | null;
        set_by: string;
        set_by_name: string;
        set_at: string;
    };
    CreditRefusal: { reason: string; };
    Creditor: { name: string; cnpj: string; address: string; email: string; };
    CustomerChange: {
        name?: string;
        email?: string;
        phone?: string;
        credit_limit?: number;
        reason?: string;
    };
    CustomerExport: {
        customer_id: string;
        exported_at: string;
        tables: { [key: string]: Record<string, never>[]; };
    };
    CustomerForm: {
        name: string;
        phone: string;
        email: string;
        cpf: string;
        birth_date?: string;
        credit_limit?: number;
        password?: string;
        referral_code?: string;
    };
    CustomerItem: {
        id: string;
        name: string;
        phone: string;
        email: string;
        cpf: string;
        created_at: string;
        credit: { limit: number; used: number; available: number; };
        referral_code: string;
        locked_at: string | null;
        erased_at: string | null;
        overdue: { amount: number; since: string | null; };
    };
    CustomerNote: { id: string; text: string; author: string; author_name: string; written_at: string; };
    CustomerNoteForm: { text: string; };
    CustomerSession: { id: string; created_at: string; refreshed_at: string; };
    ErasureForm: { reason: string; };
    FactorAdded: { recovery_codes: string[]; };
    FailingJob: {
        id: string;
        task: string;
        attempts: number;
        max_attempts: number;
        last_error: string;
        run_at: string;
        created_at: string;
        is_running: boolean;
    };
    FourEyes: { above: number | null; };
    ImportOutcome: {
        added: number;
        changed: number;
        unchanged: number;
        bad: number;
        changes: {
            key: string;
            is_new: boolean;
            fields: { name: string; before: unknown; after: unknown; }[];
        }[];
        faults: { line: number; message: string; }[];
    };
    IncomeReport: {
        on: string;
        month: {
            interest: number;
            penalties: number;
            extensions: number;
            merchant_fees: number;
            cashback: number;
            losses: number;
            total: number;
        };
        ever: {
            interest: number;
            penalties: number;
            extensions: number;
            merchant_fees: number;
            cashback: number;
            losses: number;
            total: number;
        };
    };
    Installment: {
        id: string;
        number: number;
        due_on: string;
        effective_due_on: string;
        status: "open" | "overdue" | "paid";
        amount: number;
        paid: number;
        discount: number;
        returned: number;
        outstanding: number;
        penalty: { fine: number; interest: number; total: number; days_late: number; };
        charges_paid: { fine: number; interest: number; extension_fee: number; };
        charges_waived: { fine: number; interest: number; };
        total_due: number;
        paid_at: string | null;
        extensions: number;
        cashback_if_on_time: number;
        pix_options: ({
            type: "settle" | "settle_with_penalty";
            value: number;
        } | {
            type: "settle_partial";
            min: number;
            max: number;
        } | { type: "extend"; value: number; due_on: string; })[];
        autopay: {
            status: "scheduled" | "trying" | "paid" | "failed";
            on: string;
            value: number;
            tries: number;
            reason: string | null;
        } | null;
    };
    LeadMerchant: { merchant: Schemas["StaffMerchant"]; owner: Schemas["MerchantMember"]; };
    LeadMerchantForm: {
        slug?: string;
        name?: string;
        category: string;
        description?: string | null;
        logo_url?: string | null;
        city?: string | null;
        state?: string | null;
        website?: string | null;
        listed?: boolean;
        plan?: {
            weekly_rate_percent?: number;
            max_installments?: number;
            min_amount?: number;
            max_amount?: number;
            cashback_percent?: number;
            merchant_fee_percent?: number;
            payout_days?: number;
        };
        owner?: { name?: string; phone?: string; };
    };
    ListPagination: Schemas["Pagination"] & { estimated?: boolean; next?: string; prev?: string; };
    Media: {
        name: string;
        url: string;
        type: string;
        size: number;
        width: number | null;
        height: number | null;
        uses: number;
        uploaded_at: string;
    };
    MemberForm: {
        name: string;
        phone: string;
        role: "clerk" | "owner";
        max_amount?: number | null;
        may_return?: boolean;
    };
    MerchantMember: {
        id: string;
        name: string;
        phone: string;
        role: "clerk" | "owner";
        max_amount: number | null;
        may_return: boolean;
        status: "active" | "removed";
        created_at: string;
    };
    MerchantsReport: {
        on: string;
        data: { merchant: string; name: string; owed: number; due: number; in_payouts: number; }[];
        total: { owed: number; due: number; in_payouts: number; };
    };
    MessageTemplate: {
        name: string;
        title: string;
        to: "customer" | "phone" | "owner";
        legal: boolean;
        life_hours: number;
        subject: string;
        whatsapp: string | null;
        sms: string | null;
        email: string | null;
        push: string | null;
        link: string | null;
        code: string | null;
    };
    MessagesReport: {
        on: string;
        from: string;
        data: { channel: string | null; status: string; reason: string | null; messages: number; }[];
        messages: number;
    };
    MovedPayment: {
        id: string;
        end_to_end_id: string;
        value: number;
        received_at: string;
        too_much: number;
        from: { customer_id: string; checkout_hash: string; installment: Schemas["Installment"]; };
        to: { customer_id: string; checkout_hash: string; installment: Schemas["Installment"]; };
    };
    NewApiKey: Schemas["ApiKey"] & { key: string; };
    NewStaffKey: Schemas["StaffKey"] & { key: string; };
    NewStaffMember: Schemas["StaffMember"] & { invite_url: string; invite_expires_at: string; };
    NewTotp: { secret: string; uri: string; };
    OperatorCheckout: {
        hash: string | null;
        status: "open" | "overdue" | "paid";
        merchant: { slug: string; name: string; logo_url: string | null; };
        description: string | null;
        purchased_at: string;
        amounts: Schemas["Amounts"];
        installments_total: number;
        installments_paid: number;
        next_due_on: string | null;
        returned_at: string | null;
        customer_id: string;
        written_off_at: string | null;
        autopay: { status: "pending" | "active" | "rejected" | "expired" | "ended"; } | null;
        terms: Schemas["AgreedTerms"];
        installments: {
            id: string | null;
            number: number;
            due_on: string;
            effective_due_on: string;
            status: "open" | "overdue" | "paid";
            amount: number;
            paid: number;
            discount: number;
            returned: number;
            outstanding: number;
            penalty: { fine: number; interest: number; total: number; days_late: number; };
            charges_paid: { fine: number; interest: number; extension_fee: number; };
            charges_waived: { fine: number; interest: number; };
            total_due: number;
            paid_at: string | null;
            extensions: number;
            cashback_if_on_time: number;
            pix_options: ({
                type: "settle" | "settle_with_penalty";
                value: number;
            } | {
                type: "settle_partial";
                min: number;
                max: number;
            } | { type: "extend"; value: number; due_on: string; })[];
            autopay: {
                status: "scheduled" | "trying" | "paid" | "failed";
                on: string;
                value: number;
                tries: number;
                reason: string | null;
            } | null;
        }[];
        cost: { financed: number; interest: number; total: number; };
    };
    OperatorCheckoutItem: {
        hash: string;
        status: "open" | "overdue" | "paid";
        merchant: { slug: string; name: string; logo_url: string | null; };
        description: string | null;
        purchased_at: string;
        amounts: Schemas["Amounts"];
        installments_total: number;
        installments_paid: number;
        next_due_on: string | null;
        returned_at: string | null;
        customer_id: string;
        customer_name: string | null;
        offer_id: string | null;
        written_off_at: string | null;
    };
    OperatorCheckoutShown: Schemas["OperatorCheckout"] & { customer_name: string | null; };
    OperatorCustomer: {
        id: string;
        name: string;
        phone: string;
        email: string;
        cpf: string;
        created_at: string;
        credit: { limit: number; used: number; available: number; };
        referral_code: string;
        locked_at: string | null;
        erased_at: string | null;
        phone_change: { phone: string; asked_by: string; asked_at: string; counts_at: string; } | null;
    };
    OperatorCustomerWithApproval: Schemas["OperatorCustomer"] & { approval?: Schemas["Approval"]; };
    OperatorReturn: {
        id: string;
        amount: number;
        reason: string;
        returned_at: string;
        refunds: { end_to_end_id: string; amount: number; }[];
        cashback: number;
        by: { id: string; name: string; } | null;
        checkout: Schemas["OperatorCheckout"];
    };
    OrphanAssignment: { installment_id: string; dry_run?: boolean; };
    Owed: {
        at: string;
        outstanding: number;
        penalties: number;
        total_due: number;
        installments: {
            id: string;
            checkout_hash: string;
            merchant: { slug: string; name: string; };
            written_off: boolean;
            number: number;
            due_on: string;
            status: "open" | "overdue" | "paid";
            outstanding: number;
            fine: number;
            interest: number;
            days_late: number;
            total_due: number;
        }[];
    };
    Pagination: { page: number; limit: number; total: number; pages: number; };
    Partner: { id: string; name: string; created_at: string; keys: number; };
    PasskeyOptions: { options: { [key: string]: unknown; }; };
    PaymentMove: { installment_id: string; from_installment_id?: string; reason: string; dry_run?: boolean; };
    Payout: {
        id: string;
        merchant: string;
        amount: number;
        status: "pending" | "paid" | "failed";
        due_on: string;
        created_at: string;
        paid_at: string | null;
        reference: string | null;
        failed_at: string | null;
        reason: string | null;
    };
    PayoutAccount: {
        pix_key: string | null;
        holder_name: string | null;
        tax_id: string | null;
        change: {
            pix_key: string | null;
            holder_name: string | null;
            tax_id: string | null;
            asked_at: string;
            counts_at: string;
        } | null;
    };
    PayoutAccountForm: { pix_key: string; holder_name: string; tax_id: string; };
    PayoutBatch: { until?: string; };
    PayoutFailed: { reason: string; };
    PayoutLine: {
        id: string;
        kind: "sale" | "fee" | "return" | "return_fee" | "payout" | "payout_failed";
        amount: number;
        checkout_hash: string | null;
        of_payout: string | null;
        due_on: string;
        occurred_at: string;
    };
    PayoutPaid: { reference: string; };
    PayoutWithLines: Schemas["Payout"] & {
        lines: Schemas["PayoutLine"][];
        pagination: Schemas["Pagination"];
    };
    PhoneConfirmation: { proof?: Schemas["CodeProof"]; reason?: string; };
    PixDiscrepancy: {
        kind: "paid_without_payment" | "end_to_end_id_reused" | "unreadable_payment";
        pix_id: string;
        customer_id: string;
        txid: string;
        end_to_end_id: string | null;
        value: number;
        found_at: string;
    };
    PixMove: {
        id: string;
        side: "from" | "to";
        customer_id: string;
        checkout_hash: string;
        installment_id: string;
        reason: string;
        moved_at: string;
        moved_by: string;
    };
    PixOrphan: {
        end_to_end_id: string;
        txid: string | null;
        value: number;
        status: "open" | "asked" | "processing" | "returned";
        reason: string | null;
        paid_at: string;
        found_at: string;
        returned_at: string | null;
    };
    PixOrphanShownWithApproval: Schemas["PixOrphan"] & {
        suggestions: {
            customer_id: string;
            customer_name: string | null;
            checkout_hash: string;
            installment_id: string;
            because: ("code" | "amount" | "bank")[];
        }[];
        approval?: Schemas["Approval"];
    };
    PixPaymentItem: {
        end_to_end_id: string;
        pix_id: string;
        customer_id: string;
        installment_id: string;
        value: number;
        refunded: number;
        assigned: boolean;
        paid_at: string;
        recorded_at: string;
        customer_name: string | null;
    };
    PixPaymentWithRefundsWithApproval: Schemas["PixPaymentItem"] & {
        refunds: Schemas["PixRefund"][];
        moves: Schemas["PixMove"][];
        approval?: Schemas["Approval"];
    };
    PixRefund: {
        id: string;
        end_to_end_id: string;
        customer_id: string;
        value: number;
        status: "asked" | "processing" | "returned" | "failed" | "given_up" | "credited" | "overtaken";
        stranded: number;
        forced: boolean;
        reason: string | null;
        tries: number;
        created_at: string;
        settled_at: string | null;
    };
    PixRefundItem: Schemas["PixRefund"] & { customer_name: string | null; };
    PixReport: {
        on: string;
        from: string;
        data: {
            type: string;
            made: number;
            paid: number;
            paid_percent: number | null;
            made_value: number;
            paid_value: number;
            median_seconds: number | null;
        }[];
        total: {
            made: number;
            paid: number;
            paid_percent: number | null;
            made_value: number;
            paid_value: number;
        };
    };
    PortfolioReport: {
        on: string;
        worked_out_at: string;
        open: {
            purchases: number;
            financed: number;
            paid: number;
            returned: number;
            outstanding: number;
            written_off: number;
            written_off_outstanding: number;
        };
        overdue: {
            purchases: number;
            financed: number;
            paid: number;
            returned: number;
            outstanding: number;
            written_off: number;
            written_off_outstanding: number;
        };
        paid: {
            purchases: number;
            financed: number;
            paid: number;
            returned: number;
            outstanding: number;
            written_off: number;
            written_off_outstanding: number;
        };
        returned: {
            purchases: number;
            financed: number;
            paid: number;
            returned: number;
            outstanding: number;
            written_off: number;
            written_off_outstanding: number;
        };
        total: {
            purchases: number;
            financed: number;
            paid: number;
            returned: number;
            outstanding: number;
            written_off: number;
            written_off_outstanding: number;
        };
    };
    Problem: {
        type: string;
        title: string;
        status: number;
        detail: string;
        code: string;
        request_id: string;
        errors?: { pointer: string; message: string; }[];
    };
    PspDelivery: {
        id: number;
        kind: "pix" | "rec" | "cobr";
        state: "waiting" | "delivered" | "failed" | "withheld";
        attempts: number;
        last_outcome: string | null;
        pix: unknown;
        created_at: string;
    };
    PspFaults: {
        latency_ms: number;
        error_rate: number;
        timeout_rate: number;
        drop_after_write: number;
        token_errors: number;
        notify: "normal" | "twice" | "late" | "never" | "shuffled";
        notify_delay_ms: number;
        wrong_amount: number;
        refund: "normal" | "stuck" | "fails";
        debits: "paid" | "no_money" | "cap" | "silent";
        debits_moved_days: number;
        payments: "normal" | "missing" | "object" | "zero_beside" | "unreadable_beside";
        txid: "normal" | "missing" | "capitals";
        pix_list: "normal" | "empty" | "unfiltered" | "short_pages";
        pix_lookup: "normal" | "refused";
        amounts: "normal" | "short";
        timestamps: "normal" | "no_fraction" | "no_zone" | "spaced";
        end_to_end_id: "normal" | "reused";
        notice_format: "normal" | "gzip" | "array" | "object" | "no_content_type" | "trailing_slash";
    };
    Quote: {
        amount: number;
        installments: { number: number; due_on: string; amount: number; }[];
        total: number;
        cost: number;
        cashback_if_on_time: number;
        terms: Schemas["Terms"];
    };
    ReasonForm: { reason?: string; };
    ReferralOrder: { customer: string; code: string; };
    RefusalsReport: {
        on: string;
        from: string;
        data: { code: string; words: string; debits: number; failed: number; }[];
        debits: number;
    };
    RemindersReport: {
        on: string;
        from: string;
        data: { step: number; reminded: number; paid_within_a_day: number; percent: number | null; }[];
        total: { reminded: number; paid_within_a_day: number; percent: number | null; };
    };
    ResetDone: { reset_at: string; merchants: number; customers: number; checkouts: number; };
    ReturnFileOutcome: {
        totals: {
            paid: { lines: number; amount: number; };
            failed: { lines: number; amount: number; };
            already: { lines: number; amount: number; };
            waiting: { lines: number; amount: number; };
            bad: { lines: number; amount: number; };
        };
        data: {
            line: number;
            outcome: "paid" | "failed" | "already" | "waiting" | "bad";
            payout: string | null;
            merchant: string | null;
            amount: number | null;
            message: string;
        }[];
    };
    ReturnOrder: { amount?: number; reason: string; };
    ReturnRefusal: { reason: string; };
    RewardDecisionForm: { reason: string; };
    SandboxAutopay: { id: string; status: "pending" | "active" | "rejected" | "expired" | "ended"; };
    SandboxMessage: {
        phone: string | null;
        channel: "whatsapp" | "sms" | "email" | "push";
        template: string;
        step: number | null;
        text: string;
        code: string | null;
        link: string | null;
        sent_at: string;
    };
    SandboxPayment: { end_to_end_id: string; txid: string; value: number; paid_at: string; };
    SandboxReversal: {
        end_to_end_id: string;
        txid: string;
        refund_id: string;
        value: number;
        reversed_at: string;
    };
    SavedView: { id: string; list: string; name: string; query: string; saved_at: string; };
    SavedViewForm: { list: string; name: string; query: string; };
    ScannedCharge: {
        txid: string;
        value: number;
        receiver: { name: string; city: string; key: string; };
        note: string | null;
        status: string;
        expires_at: string;
        payable: boolean;
    };
    SearchHit: {
        kind: "customer" | "checkout" | "payment" | "orphan" | "charge" | "refund" | "offer" | "merchant" | "post";
        id: string;
        title: string;
        customer_id: string | null;
        customer_name: string | null;
    };
    ServiceNode: { id: string; release: string; address: string | null; since: string; jobs: number; };
    SettingInForce: { name: string; meaning: string; value: string | null; is_default: boolean; };
    StaffAgreement: {
        kind: "terms" | "privacy";
        version: string;
        sections: { title: string; text: string; }[];
        published_by: string;
        published_at: string;
    };
    StaffAutopay: {
        id: string;
        customer_id: string;
        customer_name: string | null;
        checkout_hash: string;
        status: "pending" | "active" | "rejected" | "expired" | "ended";
        first: boolean;
        largest: number;
        starts_on: string;
        ends_on: string;
        created_at: string;
        activated_at: string | null;
        ended_at: string | null;
        ended_by: string | null;
        reason: string | null;
    };
    StaffCashback: {
        customer_id: string;
        available: number;
        pending: number;
        expiring: { amount: number; expires_on: string; }[];
        lifetime_earned: number;
    };
    StaffCashbackItem: {
        customer_id: string;
        id: string;
        kind: "earned" | "referral" | "redeemed" | "expired" | "reversed" | "adjusted";
        amount: number;
        balance_after: number;
        description: string;
        checkout_hash: string | null;
        installment_id: string | null;
        occurred_at: string;
        expires_on: string | null;
        customer_name: string | null;
    };
    StaffCashbackShown: Schemas["StaffCashback"] & { customer_name: string | null; };
    StaffCategory: { slug: string; name: string; };
    StaffCheckoutWithApproval: Schemas["OperatorCheckoutShown"] & {
        receipts: Schemas["CheckoutReceipt"][];
        returns: Schemas["CheckoutReturn"][];
        approval?: Schemas["Approval"];
    };
    StaffDebit: {
        id: string;
        customer_id: string;
        customer_name: string | null;
        autopay_id: string;
        checkout_hash: string;
        installment_id: string;
        status: "scheduled" | "trying" | "paid" | "failed" | "withdrawn";
        value: number;
        due_on: string;
        attempt_on: string;
        tries: number;
        reason: string | null;
    };
    StaffEntered: {
        session: string;
        session_id: string;
        expires_at: string;
        next: "done" | "second_factor" | "enrol";
        methods: ("totp" | "passkey")[];
        person: Schemas["StaffMe"];
    };
    StaffEvent: {
        id: string;
        type: string;
        customer_id: string | null;
        checkout_hash: string | null;
        sequence: number | null;
        occurred_at: string;
        data: Record<string, never>;
        told: {
            partner_id: string;
            partner_name: string | null;
            webhook_id: string | null;
            url: string | null;
            status: "pending" | "delivered" | "failed" | null;
            tries: number | null;
            settled_at: string | null;
        }[];
    };
    StaffFactors: {
        totp: boolean;
        passkeys: { id: string; name: string; created_at: string; last_used_at: string | null; }[];
        recovery_codes: number;
    };
    StaffFaqEntry: {
        id: string;
        topic: string;
        question: string;
        answer: string;
        position: number;
        listed: boolean;
    };
    StaffInvitation: {
        name: string;
        role: "viewer" | "content" | "support" | "risk" | "finance" | "admin";
        email: string | null;
        expires_at: string;
    };
    StaffInvited: { invite_url: string; invite_expires_at: string; };
    StaffKey: { id: string; label: string; hint: string; created_at: string; last_used_at: string | null; };
    StaffLead: {
        id: string;
        kind: string;
        status: "new" | "handled";
        name: string;
        email: string | null;
        phone: string | null;
        company: string | null;
        message: string | null;
        note: string | null;
        partner_id: string;
        received_at: string;
    };
    StaffLeadWithApproval: Schemas["StaffLead"] & { approval?: Schemas["Approval"]; };
    StaffLogin: { email: string; password: string; };
    StaffMe: {
        id: string;
        name: string;
        role: "viewer" | "content" | "support" | "risk" | "finance" | "admin";
        email: string | null;
    };
    StaffMember: Schemas["StaffMe"] & { created_at: string; removed_at: string | null; };
    StaffMemberWithApproval: Schemas["StaffMember"] & { approval?: Schemas["Approval"]; };
    StaffMerchant: {
        slug: string;
        name: string;
        category: string;
        description: string | null;
        logo_url: string | null;
        city: string | null;
        state: string | null;
        website: string | null;
        listed: boolean;
        plan: {
            weekly_rate_percent: number;
            max_installments: number;
            min_amount: number;
            max_amount: number;
            cashback_percent: number;
            merchant_fee_percent: number;
            payout_days: number;
        };
    };
    StaffMerchantWithApproval: Schemas["StaffMerchant"] & { approval?: Schemas["Approval"]; };
    StaffMessage: {
        id: string;
        customer_id: string;
        customer_name: string | null;
        template: string;
        title: string;
        step: number | null;
        status: "queued" | "retrying" | "sent" | "delivered" | "read" | "failed" | "withdrawn";
        channel: ("whatsapp" | "sms" | "email" | "push") | null;
        provider_id: string | null;
        reason: string | null;
        attempts: number;
        text: string | null;
        created_at: string;
        sent_at: string | null;
        updated_at: string;
    };
    StaffOffer: Schemas["StaffOfferItem"] & {
        items: { name: string; quantity: number; amount: number; }[];
        quote: Schemas["Quote"];
    };
    StaffOfferItem: {
        id: string;
        status: "pending" | "accepted" | "declined" | "expired" | "cancelled";
        merchant: { slug: string; name: string; };
        customer_id: string | null;
        description: string | null;
        reference: string | null;
        amount: number;
        installments: number;
        accepted_installments: number | null;
        checkout_hash: string | null;
        created_at: string;
        expires_at: string;
        claimed_at: string | null;
        closed_at: string | null;
    };
    StaffOfferOrder: {
        merchant: string;
        phone: string;
        amount: number;
        installments: number;
        description?: string;
        reference?: string;
        items?: { name: string; quantity: number; amount: number; }[];
        dry_run?: boolean;
    };
    StaffPayoutItem: Schemas["Payout"] & {
        merchant_name: string;
        pix_key: string | null;
        holder_name: string | null;
        tax_id: string | null;
        bank_number: string;
    };
    StaffPixChargeItem: {
        id: string;
        txid: string;
        customer_id: string;
        checkout_hash: string;
        installment_id: string;
        type: "settle" | "settle_with_penalty" | "settle_partial" | "extend";
        status: "pending" | "paid" | "expired" | "cancelled";
        value: number;
        created_at: string;
        expires_at: string;
        paid_at: string | null;
        customer_name: string | null;
    };
    StaffPost: {
        slug: string;
        title: string;
        summary: string;
        author: string;
        body: string;
        cover_url: string | null;
        tags: string[];
        published_at: string | null;
    };
    StaffProven: { next: "done"; };
    StaffReferral: {
        referrer_id: string;
        invited_id: string;
        status: "registered" | "held" | "rewarded" | "refused" | "expired";
        promised: { referrer: number; invited: number; };
        reward: number;
        invited_at: string;
        rewarded_at: string | null;
        held_at: string | null;
    };
    StaffSession: {
        id: string;
        created_at: string;
        seen_at: string;
        address: string;
        agent: string;
        is_current: boolean;
    };
    StaffWaitingReturn: {
        id: string;
        status: "waiting" | "made" | "refused";
        checkout_hash: string;
        amount: number;
        reason: string;
        asked_at: string;
        closed_at: string | null;
        refusal: string | null;
        merchant: { slug: string; name: string; };
        customer_id: string;
    };
    StoryLine: {
        at: string;
        kind: string;
        text: string;
        checkout_hash?: string;
        installment_id?: string;
        pix_id?: string;
        end_to_end_id?: string;
        session_id?: string;
        message_id?: string;
        trail_id?: number;
    };
    Terms: {
        weekly_rate_percent: number;
        fine_percent: number;
        late_interest_percent: number;
        extension_fee_percent: number;
        extension_days: number;
        extension_limit: number;
        cashback_percent: number;
        cet_percent_month: number;
        cet_percent_year: number;
    };
    Today: {
        on: string;
        waiting: { [key: string]: number; };
        weekly: Schemas["WeeklyReport"];
        aging: Schemas["AgingReport"];
    };
    WebhookDelivery: {
        id: string;
        event: string;
        type: string;
        occurred_at: string;
        status: "pending" | "delivered" | "failed";
        tries: number;
        next_try_at: string | null;
        settled_at: string | null;
        attempts: {
            at: string;
            status: number | null;
            error: string | null;
            duration_ms: number;
            answer: string | null;
        }[];
    };
    WebhookDeliveryDetails: Schemas["WebhookDelivery"] & {
        request: { url: string; headers: { [key: string]: string; }; body: string; } | null;
        response: { status: number; headers: { [key: string]: string; }; body: string; } | null;
    };
    WebhookEndpoint: {
        id: string;
        partner: string;
        url: string;
        events: string[];
        merchant: string | null;
        status: "enabled" | "disabled";
        disabled_reason: string | null;
        disabled_at: string | null;
        failing_since: string | null;
        old_secret_until: string | null;
        created_at: string;
    };
    WebhookEndpointWithSecret: Schemas["WebhookEndpoint"] & { secret: string; };
    WebhookOrder: {
        partner: string;
        url: string;
        events?: ("lead.received" | "customer.registered" | "checkout.created" | "checkout.paid" | "checkout.overdue" | "checkout.returned" | "installment.paid" | "installment.overdue" | "installment.extended" | "installment.overpaid" | "installment.payment_changed" | "installment.reopened" | "pix.created" | "pix.paid" | "pix.expired" | "pix.refunded" | "pix.moved" | "autopay.activated" | "autopay.ended" | "autopay.failed" | "cashback.changed" | "referral.rewarded" | "offer.created" | "offer.claimed" | "offer.accepted" | "offer.declined" | "offer.expired" | "offer.cancelled" | "credit.review" | "credit.decided" | "credit.limit_changed" | "payout.paid")[];
        merchant?: string;
    };
    WeeklyReport: {
        on: string;
        worked_out_at: string;
        data: { week: string; expected: number; received: number; refunded: number; }[];
    };
    WriteOffOrder: { reason: string; };
    WriteOffState: {
        checkout_hash: string;
        customer_id: string;
        written_off_at: string | null;
        outstanding: number;
    };
}
