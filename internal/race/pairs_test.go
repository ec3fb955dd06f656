package race_test

// pairs are the contended pairs that need a race test, in the order of their list.
var pairs = []pair{
	{"sale x sale (15 s)", saleMeetsSale},
	{"capture x capture", captureMeetsCapture},
	{"capture x CREDITVOID", captureMeetsReversal},
	{"capture x expiry", captureMeetsExpiry},
	{"refund x refund", refundMeetsRefund},
	{"refund x void", refundMeetsVoid},
	{"void x void", voidMeetsVoid},
	{"update x payment (HPF)", updateMeetsPayment},
	{"payment x payment on one session", paymentMeetsPayment},
	{"recovery x live answer", recoveryMeetsAnswer},
	{"recovery x recovery", recoveryMeetsRecovery},
	{"acquirer notice x live answer", noticeMeetsAnswer},
	{"acquirer notice x recovery", noticeMeetsRecovery},
	{"schedule run x PAUSE/DELETE/UPDATE", runMeetsChange},
	{"schedule run x schedule run", runMeetsRun},
	{"outbox x outbox", outboxMeetsOutbox},
	{"card_token use x token removal", useMeetsRemoval},
	{"key rotation x read", rotationMeetsRead},
}

// morePairs are contended too, but not on the list.
var morePairs = []pair{
	{"dispute x refund", disputeMeetsRefund},
	{"payment x leaving", paymentMeetsLeaving},
	{"decision x recovery", decisionMeetsRecovery},
	{"return x return", returnMeetsReturn},
	{"return x recovery", returnMeetsRecovery},
	{"return x acquirer notice", returnMeetsNotice},
	{"answer x answer", answerMeetsAnswer},
}
