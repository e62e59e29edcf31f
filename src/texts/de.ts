import type { Texts } from './en.js';

export const de: Texts = {
  'site.skip': 'Zum Inhalt springen',
  'site.menu': 'Hauptmenü',
  'site.secrets': 'Geheimnisse',
  'site.tokens': 'API-Token',
  'site.account': 'Konto',
  'site.administration': 'Verwaltung',
  'site.signIn': 'Anmelden',
  'site.signUp': 'Konto erstellen',
  'site.signOut': 'Abmelden',
  'site.footer':
    'Geheimnisse werden verschlüsselt gespeichert und nach dem letzten Aufruf oder bei Ablauf gelöscht.',
  'site.howItWorks': 'So funktioniert es',
  'site.operator': 'Betrieben von {operator}.',
  'site.contact': 'Kontakt',
  'site.language': 'Sprache',

  'kind.text': 'Text',
  'kind.url': 'Webadresse',
  'kind.qr': 'QR-Code',
  'kind.file': 'Dateien',

  'time.utc': '{time} UTC',

  'copy.link': 'Link',
  'copy.button': 'Kopieren',
  'copy.linkButton': 'Link kopieren',
  'copy.qr': 'Link als QR-Code',

  'home.title': 'Geheimnis teilen',
  'home.intro':
    'Sie erhalten einen Link zum Versenden. Er läuft nach der gewählten Anzahl von Aufrufen oder Tagen ab.',
  'home.kind': 'Was möchten Sie teilen?',
  'home.kindsMissing': 'Hier nicht verfügbar: {kinds}.',
  'home.signInForFiles': '<link>Melden Sie sich an</link>, um Dateien zu teilen.',
  'home.generate': 'Passwort erzeugen',
  'home.files': 'Dateien',
  'home.filesHint':
    '{count, plural, one {Eine Datei mit bis zu {size}.} other {Bis zu # Dateien mit je bis zu {size}.}}',
  'home.views': 'Aufrufe',
  'home.bounds': '{min, number} bis {max, number}',
  'home.viewsChoice': '{count, plural, one {# Aufruf} other {# Aufrufe}}',
  'home.customViews': 'Anzahl der Aufrufe',
  'home.lifetime': 'Läuft ab nach',
  'home.minutes': '{count, plural, one {# Minute} other {# Minuten}}',
  'home.hours': '{count, plural, one {# Stunde} other {# Stunden}}',
  'home.days': '{count, plural, one {# Tag} other {# Tagen}}',
  'home.custom': 'Andere',
  'home.customDays': 'Anzahl der Tage',
  'home.chooseFiles': 'Dateien auswählen',
  'home.dropFiles': 'oder hierher ziehen oder ein Bildschirmfoto einfügen.',
  'home.undo': 'Rückgängig',
  'home.generatePassphrase': 'Passphrase erzeugen',
  'home.showPassphrase': 'Passphrase anzeigen',
  'home.hidePassphrase': 'Passphrase verbergen',
  'home.generatorOptions': 'Optionen beim Erzeugen',
  'home.generatorOf': 'Bestehend aus',
  'home.generatorCharacters': 'Zeichen',
  'home.generatorWords': 'Wörtern (englisch)',
  'home.generatorLength': 'Länge (8 bis 64)',
  'home.generatorSymbols': 'Sonderzeichen',
  'home.generatorCount': 'Anzahl der Wörter (3 bis 10)',
  'home.remember': 'Diese Einstellungen in diesem Browser merken',
  'home.rememberHint': 'Niemals das Geheimnis, die Passphrase, den Namen oder die Notiz.',
  'home.passphrase': 'Passphrase (optional)',
  'home.passphraseHint':
    'Empfänger brauchen sie zum Öffnen. Senden Sie die Passphrase nicht zusammen mit dem Link.',
  'home.retrievalStep': 'Erst nach einem Klick öffnen',
  'home.retrievalStepHint': 'So verbrauchen Linkvorschauen und Virenscanner keine Aufrufe.',
  'home.deletable': 'Empfänger können das Geheimnis löschen',
  'home.ownerFields': 'Name und Notiz (nur für Sie sichtbar)',
  'home.ownerFieldsAndNotices': 'Name und Notiz (nur für Sie sichtbar), E-Mails an Sie',
  'home.name': 'Name',
  'home.nameHint': 'Damit finden Sie das Geheimnis in Ihrer Liste.',
  'home.note': 'Notiz',
  'home.submit': 'Link erstellen',
  'home.sending': 'Wird gesendet …',
  'home.cancel': 'Abbrechen',
  'home.signInFirst': 'Anmelden, um Dateien zu teilen',
  'home.signInFirstHint': 'Das Formular kommt mit Ihrer Auswahl zurück, ohne Geheimnis und Passphrase.',
  'home.nowNobody': 'Oder füllen Sie die markierten Felder aus und erstellen Sie den Link ohne Konto.',
  'home.nowOwner':
    'Sie sind jetzt als {email} angemeldet. Wenn Sie es erneut senden, gehört das Geheimnis diesem Konto.',

  'created.title': 'Ihr Link ist fertig',
  'created.intro': 'Senden Sie ihn an den Empfänger. Diese Seite verbraucht keinen Aufruf.',
  'created.expires':
    'Läuft nach {views, plural, one {# Aufruf} other {# Aufrufen}} ab, spätestens am {time}.',
  'created.passphrase':
    'Empfänger brauchen die Passphrase. Senden Sie sie auf einem anderen Weg als den Link, zum Beispiel telefonisch.',
  'created.share': 'Teilen',
  'created.mail': 'E-Mail',
  'created.mailSubject': 'Ein Geheimnis für Sie',
  'created.mailText': 'Ich teile ein Geheimnis mit Ihnen. Öffnen Sie diesen Link, um es zu sehen:\n\n{url}',
  'created.saveQr': 'QR-Code speichern',
  'created.retrievalStep': 'Öffnet sich erst nach einem Klick.',
  'created.deletable': 'Empfänger können das Geheimnis löschen.',
  'created.deletableByYou': 'Nur Sie können das Geheimnis löschen.',
  'created.again': 'Weiteres Geheimnis teilen',
  'created.activity': 'Aktivität anzeigen',
  'created.deletableByLink': 'Nur wer den Löschlink unten hat, kann das Geheimnis löschen.',

  'open.title': 'Sie haben ein Geheimnis erhalten',
  'open.intro': 'Beim Öffnen wird ein Aufruf verbraucht.',
  'open.introPassphrase':
    'Geben Sie die Passphrase ein, die Sie vom Absender erhalten haben. Das Öffnen verbraucht einen Aufruf, eine falsche Passphrase keinen.',
  'open.passphrase': 'Passphrase',
  'open.submit': 'Geheimnis öffnen',
  'open.again': 'Erneut öffnen (verbraucht 1 Aufruf)',
  'open.remaining': 'Noch {views, plural, one {# Aufruf} other {# Aufrufe}}, bis {time}.',
  'open.opened':
    'Sie haben es in diesem Tab bereits geöffnet. Erneutes Öffnen verbraucht einen weiteren Aufruf.',
  'open.sent':
    'Sie haben in diesem Tab versucht, es zu öffnen, aber keine vollständige Antwort kam an. Möglicherweise wurde ein Aufruf verbraucht.',

  'secret.title': 'Geteiltes Geheimnis',
  'secret.lastView':
    'Das war der letzte Aufruf. Der Link funktioniert nicht mehr: Speichern Sie, was Sie brauchen.',
  'secret.remaining':
    'Der Link funktioniert noch für {views, plural, one {# Aufruf} other {# Aufrufe}}, bis {time}.',
  'secret.show': 'Geheimnis anzeigen',
  'secret.label': 'Geheimnis',
  'secret.qr': 'Geheimnis als QR-Code',
  'secret.address': 'Webadresse',
  'secret.host': 'Diese Adresse öffnet {host}.',
  'secret.hostUnicode': 'Diese Adresse öffnet {host}, angezeigt als {name}.',
  'secret.go': 'Webadresse öffnen',
  'secret.files': 'Dateien',
  'secret.filesHint': 'Die Download-Links laufen nach 10 Minuten ab.',
  'secret.downloadAll': 'Alle Dateien herunterladen (zip)',
  'secret.filesGone':
    'Der letzte Aufruf ist verbraucht. Bitten Sie den Absender um einen neuen Link, wenn Sie die Dateien noch brauchen.',
  'secret.filesAgain': 'Öffnen Sie das Geheimnis erneut, um neue Download-Links zu erhalten.',

  'endToEnd.badge': 'Ende-zu-Ende-verschlüsselt',
  'endToEnd.meaning':
    'Der Browser des Absenders hat es verschlüsselt. Der Schlüssel steht nur im Link: Dieser Server kann das Geheimnis nicht lesen.',
  'endToEnd.incomplete':
    'Dieser Link ist nicht vollständig. Es wurde nichts verbraucht. Kopieren Sie den ganzen Link aus der Nachricht, bis zum letzten Zeichen, oder lassen Sie ihn sich noch einmal senden.',
  'endToEnd.keyless':
    'Sie haben es in diesem Tab schon geöffnet. Der Schlüssel steht nicht mehr in der Adresse, damit ihn niemand im Verlauf findet. Zum erneuten Öffnen, das einen weiteren Aufruf verbraucht, verwenden Sie den Link, den Sie erhalten haben.',
  'endToEnd.unavailable':
    'Dieser Browser kann das Geheimnis hier nicht entschlüsseln. Es wurde nichts verbraucht. Verwenden Sie einen aktuellen Browser und eine Adresse, die mit https beginnt, oder die Befehle unten.',
  'endToEnd.noScript':
    'Dieses Geheimnis wird von einem Skript entschlüsselt, und Ihr Browser führt hier keines aus. Es wurde nichts verbraucht. Erlauben Sie Skripte, verwenden Sie einen anderen Browser oder die Befehle unten.',
  'endToEnd.repaired':
    'Ein anderes Programm hat diesen Link unterwegs verändert, wie es Mail-Gateways tun. Er funktioniert noch, aber dieses Programm hat den Schlüssel gesehen und dieser Server auch.',
  'endToEnd.passphraseHint': 'Sie haben sie vom Absender erhalten. Eine falsche verbraucht keinen Aufruf.',
  'endToEnd.commands': 'Ohne diese Seite öffnen',
  'endToEnd.commandsIntro':
    'In bash, mit curl, OpenSSL 3 und age. Auch dieses Öffnen verbraucht einen Aufruf.',
  'endToEnd.fragment': 'was im Link nach # steht',
  'endToEnd.passphraseIf': 'nötig, wenn das Fragment mit 2 beginnt',
  'endToEnd.ageAsks':
    'Wenn age nach einer Passphrase fragt, geben Sie ein, was im Link nach # steht. Beginnt das mit 2, folgen ein Leerzeichen und die Passphrase.',
  'endToEnd.agePrints':
    'Es gibt das Geheimnis als „text“ aus. Bei Dateien folgen ihre Namen und Schlüssel; push.json enthält ihre Adressen in derselben Reihenfolge. Laden Sie sie innerhalb von 10 Minuten herunter und entschlüsseln Sie jede mit age und ihrem eigenen Schlüssel.',
  'endToEnd.decrypting': 'Wird entschlüsselt …',
  'endToEnd.retry': 'Erneut versuchen',
  'endToEnd.save': 'Verschlüsselten Text speichern',
  'endToEnd.saved':
    'Lassen Sie diese Seite offen und speichern Sie den verschlüsselten Text: Ihn erneut abzurufen verbraucht einen Aufruf. Vielleicht kann ihn das Programm age öffnen: {command}',
  'endToEnd.progress': 'Download',
  'endToEnd.cancel': 'Abbrechen',
  'endToEnd.linkNotKept':
    'Der Link kann nicht noch einmal gezeigt werden: Der Schlüssel steht nur im Link, und dieser Server hatte ihn nie.',

  'delete.summary': 'Geheimnis löschen',
  'delete.warning': 'Danach kann es niemand mehr öffnen. Das lässt sich nicht rückgängig machen.',
  'delete.submit': 'Endgültig löschen',
  'deleted.title': 'Geheimnis gelöscht',
  'deleted.text': 'Der Link funktioniert nicht mehr.',

  'deleteLink.title': 'Löschlink',
  'deleteLink.intro':
    'Mit diesem Link können Sie das Geheimnis jederzeit löschen. Behalten Sie ihn für sich: Er kann später nicht erneut angezeigt werden.',
  'deleteLink.copy': 'Löschlink kopieren',
  'deleteLink.page': 'Dieses Geheimnis löschen',
  'deleteLink.key': 'Löschschlüssel',
  'deleteLink.keyHint': 'Der letzte Teil des Löschlinks, nach dem #.',
  'deleteSeveral.title':
    '{count, plural, =0 {Diese Geheimnisse sind nicht mehr in Ihrer Liste} one {Dieses Geheimnis löschen?} other {# Geheimnisse löschen?}}',
  'deleteSeveral.warning':
    'Was Sie löschen, kann niemand mehr öffnen. Das lässt sich nicht rückgängig machen.',
  'deleteSeveral.keep': 'Abbrechen',
  'downloadEnded.title': 'Dieser Download-Link ist abgelaufen',
  'downloadEnded.text': 'Download-Links gelten zehn Minuten oder bis das Geheimnis gelöscht wird.',
  'downloadEnded.advice':
    'Öffnen Sie den Link zum Geheimnis noch einmal. Wenn auch er abgelaufen ist, bitten Sie den Absender um einen neuen.',
  'filter.text': 'Name oder Notiz',
  'filter.kind': 'Art',
  'filter.active': 'Aktiv',
  'filter.opened': 'Geöffnet',
  'filter.unopened': 'Nicht geöffnet',
  'filter.expired': 'Abgelaufen',
  'filter.all': 'Alle',
  'filter.allKinds': 'Alle Arten',
  'filter.submit': 'Suchen',
  'filter.clear': 'Suche löschen',
  'gone.title': 'Dieser Link ist abgelaufen oder existiert nicht',
  'gone.text':
    'Möglicherweise war der letzte Aufruf erreicht, die Zeit abgelaufen, das Geheimnis gelöscht oder der Link unvollständig.',
  'gone.afterLastView':
    'Sie haben dieses Geheimnis in diesem Tab geöffnet. Es sind keine Aufrufe mehr übrig.',
  'gone.afterView':
    'Sie haben dieses Geheimnis in diesem Tab geöffnet. Inzwischen wurde es gelöscht oder ist abgelaufen.',
  'gone.advice': 'Bitten Sie den Absender um einen neuen Link.',

  'signIn.title': 'Anmelden',
  'signIn.email': 'E-Mail',
  'signIn.password': 'Passwort',
  'signIn.submit': 'Anmelden',
  'signIn.signUp': 'Konto erstellen',
  'signIn.signedUp':
    'Melden Sie sich jetzt an. Falls es mit dieser E-Mail-Adresse bereits ein Konto gab, ist es unverändert: Verwenden Sie dessen Passwort.',
  'signIn.passwordSet':
    'Ihr Passwort ist gesetzt, und Sie sind überall abgemeldet. Melden Sie sich damit an.',
  'signIn.signedOut': 'Sie sind abgemeldet.',
  'signIn.accountCreated': 'Ihr Konto wurde erstellt. Melden Sie sich mit seinem Passwort an.',
  'signIn.deleted': 'Ihr Konto und alle zugehörigen Daten wurden gelöscht.',
  'signedIn.title': 'Sie sind angemeldet',
  'signedIn.text': 'Kehren Sie zum anderen Tab zurück: Ihre Eingaben sind noch da.',
  'signedIn.form': 'Wenn Sie ihn geschlossen haben, <link>füllen Sie das Formular neu aus</link>.',

  'signIn.forgot': 'Passwort vergessen?',
  'signIn.forgotten': 'Passwort vergessen? Der Betreiber dieser Seite kann Ihnen ein neues geben.',
  'signIn.forgottenContact': 'Passwort vergessen? <link>Bitten Sie den Betreiber</link> um ein neues.',

  'password.repeat': 'Passwort wiederholen',
  'password.show': 'Passwort anzeigen',
  'password.hide': 'Passwort verbergen',

  'signUp.title': 'Konto erstellen',
  'signUp.intro':
    'Mit einem Konto sehen Sie, wann Ihre Geheimnisse geöffnet werden, und können sie löschen, Dateien teilen und die API nutzen.',
  'signUp.passwordHint': '10 bis 128 Zeichen. Mehrere zufällige Wörter ergeben ein gutes Passwort.',
  'signUp.mailIntro': 'Wir senden einen Link an diese Adresse. Damit wählen Sie Ihr Passwort.',
  'signUp.mailSubmit': 'Link senden',
  'signUp.submit': 'Konto erstellen',
  'signUp.signIn': 'Ich habe bereits ein Konto',

  'setup.title': 'Ersten Administrator anlegen',
  'setup.intro':
    'Diese Seite hat noch keinen Administrator. Wer sie betreibt, findet den Einrichtungscode im Log des Starts.',
  'setup.code': 'Einrichtungscode',
  'setup.codeHint': '32 Zeichen, aus der Zeile des Logs, die diese Seite nennt.',
  'setup.submit': 'Administrator anlegen',

  'forgotten.title': 'Passwort vergessen?',
  'forgotten.intro':
    'Wir senden einen Link an die Adresse Ihres Kontos. Damit wählen Sie ein neues Passwort.',
  'forgotten.submit': 'Link senden',
  'forgotten.signIn': 'Zurück zur Anmeldung',
  'mailSent.title': 'Sehen Sie in Ihr Postfach',
  'mailSent.signUp':
    'Wir haben eine E-Mail an {email} gesendet. Öffnen Sie den Link darin, um Ihr Passwort zu wählen.',
  'mailSent.newPassword':
    'Wenn es ein Konto mit der Adresse {email} gibt, haben wir eine E-Mail dorthin gesendet. Öffnen Sie den Link darin, um ein neues Passwort zu wählen.',
  'mailSent.none':
    'Wenn nach einigen Minuten nichts ankommt, sehen Sie in den Spam-Ordner und prüfen Sie die Adresse. An eine Adresse werden höchstens drei E-Mails pro Stunde gesendet.',

  'verifyEmail.title': 'E-Mail-Adresse bestätigen',
  'verifyEmail.text': '{email} als Adresse Ihres Kontos verwenden? Bisher ist es {current}.',
  'verifyEmail.own': 'Bestätigen, dass {email} Ihre Adresse ist?',
  'verifyEmail.submit': 'Bestätigen',

  'choosePassword.title': 'Passwort wählen',
  'choosePassword.intro': 'Für das Konto {email}. Dieser Link funktioniert einmal.',
  'choosePassword.submit': 'Passwort setzen',

  'admin.accounts': 'Konten',
  'admin.intro':
    'Administratoren verwalten Konten. Sie sehen kein Geheimnis, keinen Namen, keine Notiz und keinen Link anderer.',
  'admin.invite': 'Jemanden einladen',
  'admin.inviteText':
    'Legt ein Konto an und einen Link, mit dem sein Inhaber das Passwort setzt. Senden Sie den Link selbst: Diese Seite verschickt keine E-Mails.',
  'admin.inviteByMail':
    'Legt ein Konto an und sendet einen Link an seine Adresse, mit dem sein Inhaber das Passwort setzt.',
  'admin.inviteByMailSubmit': 'Konto anlegen und Link senden',
  'admin.inviteSubmit': 'Konto und Link anlegen',
  'admin.find': 'Konto finden',
  'admin.findEmail': 'Seine E-Mail-Adresse',
  'admin.newest': 'Alle Konten, neueste zuerst',
  'admin.administrator': 'Administrator',
  'admin.disabled': 'Gesperrt',
  'admin.noPassword': 'Kein Passwort',
  'admin.emailUnverified': 'Registriert am {time}; niemand hat die E-Mail-Adresse geprüft.',
  'admin.created': 'Angelegt am {time}.',
  'admin.lastUsed': 'Zuletzt benutzt am {time}.',
  'admin.neverUsed': 'Noch nicht benutzt, soweit bekannt.',
  'admin.activePushes':
    '{isMore, select, yes {Mehr als {count, number} aktive Geheimnisse.} other {{count, plural, =0 {Keine aktiven Geheimnisse.} one {# aktives Geheimnis.} other {# aktive Geheimnisse.}}}}',
  'admin.link': 'Link für ein neues Passwort',
  'admin.linkInvite':
    'Das Konto hat noch kein Passwort. Der Link setzt eines. Er funktioniert einmal, drei Tage lang; ein früherer Link wird ungültig.',
  'admin.linkText':
    'Für Inhaber, die das Passwort vergessen haben. Der Link funktioniert einmal, eine Stunde lang; ein früherer Link wird ungültig. Wird er benutzt, ist das Konto überall abgemeldet, und wenn es auf der Website angelegt wurde, sind seine API-Token widerrufen. Vergewissern Sie sich, dass der Inhaber fragt.',
  'admin.sendLink': 'Link für ein neues Passwort senden',
  'admin.sendLinkText':
    'Sendet einen solchen Link an die Adresse des Kontos. Ein früherer Link wird ungültig.',
  'admin.sendLinkSubmit': 'Link senden',
  'admin.linkSubmit': 'Link anlegen',
  'admin.linkMade':
    'Geben Sie diesen Link an den Inhaber des Kontos weiter, und an niemanden sonst. Er wird nur einmal gezeigt und funktioniert einmal, bis {time}.',
  'admin.disable': 'Konto sperren',
  'admin.disableText':
    'Es wird überall abgemeldet und kann sich weder anmelden noch seine API-Token benutzen. Seine Geheimnisse bleiben, und ihre Links funktionieren.',
  'admin.enable': 'Konto entsperren',
  'admin.enableText': 'Es kann sich wieder anmelden und seine API-Token benutzen.',
  'admin.promote': 'Zum Administrator machen',
  'admin.promoteText': 'Administratoren können alles, was Sie auf diesen Seiten können.',
  'admin.promoteSignedUp':
    'Dieses Konto entstand durch Registrierung: Vergewissern Sie sich, wem es gehört. Administratoren können alles, was Sie auf diesen Seiten können.',
  'admin.demote': 'Als Administrator entfernen',
  'admin.demoteText': 'Das Konto selbst und seine Geheimnisse bleiben.',
  'admin.delete': 'Konto löschen',
  'admin.deleteText':
    'Löscht das Konto mit allen Geheimnissen, Dateien, Aktivitäten und Token. Das lässt sich nicht rückgängig machen.',
  'admin.deleteSubmit': 'Konto endgültig löschen',
  'admin.ownPassword': 'Ihr eigenes Passwort',
  'admin.backToList': 'Alle Konten',
  'admin.doneInvite': 'Das Konto ist angelegt, und eine E-Mail mit dem Link wird gesendet.',
  'admin.doneSendLink': 'Eine E-Mail mit dem Link wird gesendet.',
  'admin.doneDisable': 'Das Konto ist gesperrt.',
  'admin.doneEnable': 'Das Konto ist entsperrt.',
  'admin.donePromote': 'Das Konto ist jetzt ein Administrator.',
  'admin.doneDemote': 'Das Konto ist kein Administrator mehr.',
  'admin.doneDelete': 'Das Konto wurde gelöscht.',

  'webhooks.navigation': 'Für Programme',
  'webhooks.title': 'Webhooks',
  'webhooks.intro':
    'Ein Webhook ist eine Adresse, die eine signierte Anfrage erhält, wenn mit Ihren Geheimnissen etwas geschieht. Die Anfrage enthält kein Geheimnis, keine Passphrase und keinen Link.',
  'webhooks.introInstance':
    'Sie erfahren, was mit allen Geheimnissen dieser Installation geschieht, ohne Geheimnisse, Links, Namen und Eigentümer.',
  'webhooks.list': 'Vorhandene Webhooks',
  'webhooks.none': 'Noch keine Webhooks.',
  'webhooks.unreadable':
    'Dieser Webhook ist nicht lesbar, weil seine gespeicherten Daten beschädigt sind. Löschen Sie ihn und fügen Sie ihn erneut hinzu.',
  'webhooks.add': 'Webhook hinzufügen',
  'webhooks.url': 'Adresse',
  'webhooks.urlHint': 'Beginnt mit https://. Sie wird verschlüsselt gespeichert.',
  'webhooks.events': 'Ereignisse',
  'webhooks.created': 'Ein Geheimnis wird erstellt',
  'webhooks.retrieved': 'Ein Geheimnis wird geöffnet',
  'webhooks.failedPassphrase': 'Eine falsche Passphrase wird eingegeben',
  'webhooks.expired': 'Ein Geheimnis läuft ab',
  'webhooks.deleted': 'Ein Geheimnis wird gelöscht',
  'webhooks.secret':
    'Der Schlüssel, der die Anfragen signiert. Kopieren Sie ihn jetzt: Er wird nur einmal angezeigt.',
  'webhooks.repeated': 'Dieses Formular wurde schon gesendet. Nichts wurde geändert.',
  'webhooks.addedOn': 'Hinzugefügt am {time}.',
  'webhooks.overlap': 'Bis {time} werden Anfragen auch mit dem vorigen Schlüssel signiert.',
  'webhooks.disabledOn': 'Abgeschaltet seit {time}: Es wird nichts gesendet.',
  'webhooks.failingSince': 'Seit {time} sind alle Anfragen fehlgeschlagen.',
  'webhooks.test': 'Testanfrage senden',
  'webhooks.testText':
    'Sendet das Ereignis „test“. Laden Sie die Seite kurz danach neu, um das Ergebnis zu sehen.',
  'webhooks.enable': 'Webhook einschalten',
  'webhooks.enableText': 'Was von jetzt an geschieht, wird wieder gesendet.',
  'webhooks.rotate': 'Schlüssel ersetzen',
  'webhooks.rotateText':
    'Einen Tag lang werden Anfragen mit dem neuen und mit dem vorigen Schlüssel signiert.',
  'webhooks.delete': 'Webhook löschen',
  'webhooks.deleteText':
    'Wartende Nachrichten werden ebenfalls gelöscht. Das lässt sich nicht rückgängig machen.',
  'webhooks.messages': 'Letzte Nachrichten',
  'webhooks.noMessages': 'Noch keine Nachrichten.',
  'webhooks.outcomeDelivered': 'zugestellt',
  'webhooks.outcomeFailed': 'nicht zugestellt',
  'webhooks.outcomeWaiting': 'wartet',
  'webhooks.attempts': '{count, plural, one {# Versuch} other {# Versuche}}',
  'webhooks.nextAttempt': 'Nächster Versuch am {time}.',
  'webhooks.doneTest': 'Eine Testanfrage wird gesendet.',
  'webhooks.doneEnable': 'Der Webhook ist eingeschaltet.',
  'webhooks.doneDelete': 'Der Webhook wurde gelöscht.',

  'tokens.title': 'API-Token',
  'tokens.intro':
    'Damit handeln Programme im Namen Ihres Kontos, im Header {header}. Siehe <link>API-Dokumentation</link>.',
  'tokens.create': 'Token erstellen',
  'tokens.name': 'Name',
  'tokens.nameExample': 'Deployment-Skript',
  'tokens.submit': 'Token erstellen',
  'tokens.list': 'Ihre Token',
  'tokens.none': 'Noch keine Token.',
  'tokens.new': 'Ihr neues Token. Kopieren Sie es jetzt: Es wird nur einmal angezeigt.',
  'tokens.created': 'Erstellt am {time}.',
  'tokens.usedWithinHour': 'Zuletzt in der letzten Stunde verwendet.',
  'tokens.usedHoursAgo':
    '{count, plural, one {Zuletzt vor etwa einer Stunde verwendet.} other {Zuletzt vor etwa # Stunden verwendet.}}',
  'tokens.usedDaysAgo':
    '{count, plural, one {Zuletzt vor etwa einem Tag verwendet.} other {Zuletzt vor etwa # Tagen verwendet.}}',
  'tokens.repeated':
    'Dieses Formular hat sein Token bereits erstellt, daher wurde kein weiteres erstellt. Wenn Sie das Token nicht kopiert haben, widerrufen Sie es und erstellen Sie ein neues.',
  'tokens.neverUsed': 'Nie verwendet.',
  'tokens.revoke': 'Widerrufen',
  'tokens.revokeOne': '{name} widerrufen',

  'account.title': 'Ihr Konto',
  'account.emailChanged': 'Ihre E-Mail-Adresse wurde geändert.',
  'account.emailVerified': 'Ihre E-Mail-Adresse ist bestätigt.',
  'account.emailSent':
    'Wir haben eine E-Mail an die Adresse gesendet. Öffnen Sie den Link darin, während Sie hier angemeldet sind. Bis dahin ändert sich nichts.',
  'account.unverified': 'E-Mail-Adresse bestätigen',
  'account.unverifiedText':
    'Noch ist nicht bestätigt, dass diese Adresse Ihnen gehört. Bis dahin werden keine Hinweise zu Ihrem Konto an sie gesendet.',
  'account.unverifiedSubmit': 'Link senden',
  'account.passwordChanged': 'Ihr Passwort wurde geändert. Alle anderen Browser sind abgemeldet.',
  'account.email': 'E-Mail-Adresse',
  'account.newEmail': 'Neue E-Mail-Adresse',
  'account.changeEmail': 'E-Mail-Adresse ändern',
  'account.password': 'Passwort',
  'account.currentPassword': 'Aktuelles Passwort',
  'account.newPassword': 'Neues Passwort',
  'account.newPasswordHint': '10 bis 128 Zeichen. Sie bleiben nur in diesem Browser angemeldet.',
  'account.changePassword': 'Passwort ändern',
  'account.signOut': 'Überall abmelden',
  'account.signOutText':
    'Meldet Sie in diesem und allen anderen Browsern ab. API-Token funktionieren weiterhin.',
  'account.delete': 'Konto löschen',
  'account.deleteText':
    'Löscht Ihr Konto mit allen Geheimnissen, Dateien, Aktivitäten und Token. Das lässt sich nicht rückgängig machen.',
  'account.deleteSubmit': 'Konto endgültig löschen',

  'list.title': 'Ihre Geheimnisse',
  'list.titleExpired': 'Ihre abgelaufenen Geheimnisse',
  'list.create': 'Neues Geheimnis',
  'list.tabs': 'Filter',
  'list.counted': '{name} ({isMore, select, yes {mehr als } other {}}{count, number})',
  'list.nothingYet': 'Sie haben noch nichts geteilt.',
  'list.nothingYetText':
    'Erstellen Sie ein Geheimnis und senden Sie den Link. Hier sehen Sie dann, ob es geöffnet wurde, und können es löschen.',
  'list.notOpened': 'Nicht geöffnet',
  'list.copyOne': 'Link von {name} kopieren',
  'list.delete': 'Löschen',
  'list.deleteOne': '{name} löschen',
  'list.deleted':
    '{count, plural, =0 {Es wurde kein Geheimnis gelöscht.} one {# Geheimnis gelöscht.} other {# Geheimnisse gelöscht.}}',
  'list.unknown':
    '{count, plural, one {# Geheimnis ist nicht mehr in Ihrer Liste.} other {# Geheimnisse sind nicht mehr in Ihrer Liste.}}',
  'list.noneActive': 'Keine aktiven Geheimnisse.',
  'list.noneExpired': 'Keine abgelaufenen Geheimnisse.',
  'list.unnamed':
    '{isFile, select, yes {} other {{kind}{files, plural, =0 {} other {, }}}}{files, plural, =0 {} one {# Datei} other {# Dateien}}, {time}',
  'list.unreadable': 'Nicht lesbar',
  'list.damaged':
    'Dieser Eintrag ist nicht vollständig lesbar, weil seine gespeicherten Daten beschädigt sind.',
  'list.created': 'Erstellt am {time}',
  'list.remaining':
    'Noch {views, plural, one {# Aufruf} other {# Aufrufe}}, {days, plural, one {# Tag} other {# Tage}}',
  'list.endedByViews': 'Letzter Aufruf am {time}',
  'list.endedByDelete': 'Gelöscht am {time}',
  'list.endedByTime': 'Abgelaufen am {time}',
  'list.pages': 'Seiten',
  'list.page': 'Seite {page, number} von {pages, number}',
  'list.newer': '← Neuere',
  'list.older': 'Ältere →',
  'list.noMatch': 'Kein Geheimnis passt.',
  'list.opened': '{opened, number} von {views, number} Aufrufen',
  'list.lastOpened': 'zuletzt am {time}',
  'list.select': '{name} auswählen',
  'list.selectAll': 'Alle auswählen',
  'list.deleteSelected': 'Ausgewählte löschen',
  'list.noPage': 'Die Liste endet vor dieser Seite. <link>Zur letzten Seite</link>',
  'list.noMatchHere': 'In diesem Teil Ihrer Liste passt kein Geheimnis.',
  'list.searchedTo': 'Durchsucht bis zurück zum {time}. <link>Ältere durchsuchen</link>',
  'list.continued':
    'Neuere Geheimnisse sind nicht in diesem Teil Ihrer Liste. <link>Von den neuesten an suchen</link>',
  'list.pageOnly': 'Seite {page, number}',

  'audit.title': 'Aktivität',
  'audit.back': '← Ihre Geheimnisse',
  'audit.creation': 'Erstellt',
  'audit.view': 'Geöffnet',
  'audit.owner_view': 'Von Ihnen geöffnet',
  'audit.expired': 'Abgelaufen',
  'audit.you.view': 'Von Ihnen geöffnet',
  'audit.you.failed_view': 'Sie haben den Link nach Ablauf verwendet',
  'audit.you.failed_passphrase': 'Sie haben eine falsche Passphrase eingegeben',
  'audit.you.expire': 'Von Ihnen gelöscht',
  'audit.you.file_download':
    '{which, select, all {Alle Dateien als Zip mit Ihrem Download-Link heruntergeladen} one {Datei mit Ihrem Download-Link heruntergeladen} other {Datei {number} von {count} mit Ihrem Download-Link heruntergeladen}}',
  'audit.when': 'Zeit',
  'audit.what': 'Ereignis',
  'audit.browserOn': '{name} unter {system}',
  'audit.robot': '{name} (Roboter, etwa eine Linkvorschau)',
  'audit.unknownBrowser': 'Unbekanntes Programm',
  'audit.userAgent': 'Voller Name',
  'audit.failed_view': 'Link nach Ablauf verwendet',
  'audit.failed_passphrase': 'Falsche Passphrase',
  'audit.expire': 'Gelöscht',
  'audit.file_download':
    '{which, select, all {Alle Dateien als Zip heruntergeladen} one {Datei heruntergeladen} other {Datei {number} von {count} heruntergeladen}}',
  'audit.creation_email_send': 'Sie haben veranlasst, dass der Link per E-Mail verschickt wird:',
  'audit.ip': 'IP-Adresse',
  'audit.browser': 'Browser',
  'audit.referrer': 'Geöffnet von',

  'how.title': 'So funktioniert es',
  'how.intro': 'Wer sehen kann, was Sie hier teilen, und wann es gelöscht wird.',
  'how.access': 'Wer was sehen kann',
  'how.sender': 'Sie, der Absender',
  'how.senderText':
    'Mit einem Konto sehen Sie Ihre Geheimnisse mit Namen, Notizen und Aktivität, das Geheimnis selbst nur, wenn Sie den Link öffnen. Ohne Konto gibt es keine Liste: Bewahren Sie den Link auf.',
  'how.recipient': 'Alle, die den Link haben',
  'how.recipientText':
    'Das Geheimnis, bis es abläuft. Der Link genügt, außer Sie legen eine Passphrase fest: Senden Sie diese auf einem anderen Weg.',
  'how.download': 'Alle, die einen Download-Link haben',
  'how.downloadText': 'Diese eine Datei, zehn Minuten lang, ohne den Link und ohne die Passphrase.',
  'how.previews': 'Programme, die eine Vorschau von Links erstellen',
  'how.previewsText':
    'Nichts vom Geheimnis, wenn sie nur die Seite des Links laden. Das zählt nicht als Aufruf.',
  'how.operatorWho': 'Der Betreiber dieser Website',
  'how.operatorText':
    'Dieser Server verschlüsselt die Geheimnisse und bewahrt den Schlüssel auf. Damit kann der Betreiber Links, Namen und Notizen lesen sowie Geheimnisse, die nicht abgelaufen sind und keine Passphrase haben; eine Passphrase müsste er erraten. Wer das Programm ändern kann, kann alle späteren Geheimnisse sehen.',
  'how.thief': 'Jemand, der die Datenbank stiehlt',
  'how.thiefText':
    'E-Mail-Adressen, Netzwerkadressen, Browser und verweisende Seiten, Arten, Grenzen, Zeiten und Anzahlen sowie Anzahl und Größe der Dateien. Keine Geheimnisse, Passphrasen, Namen, Notizen, Links oder Dateinamen: Sie sind verschlüsselt oder nicht gespeichert. Zusammen mit dem Schlüssel: was der Betreiber sehen kann.',
  'how.backup': 'Jemand, der eine Sicherung stiehlt',
  'how.backupText':
    'Dasselbe wie aus der Datenbank, mit dem Stand vom Tag der Sicherung. Was seitdem gelöscht wurde, ist darin noch enthalten, und ihre Wiederherstellung macht spätere Aufrufe und Löschungen rückgängig.',
  'how.unlessEndToEnd':
    'Das gilt für Geheimnisse, die dieser Server verschlüsselt. Für die mit dem Zeichen „Ende-zu-Ende-verschlüsselt“ siehe unten.',
  'how.endToEnd': 'Ende-zu-Ende-verschlüsselte Geheimnisse',
  'how.endToEndText':
    'Ein Geheimnis mit dem Zeichen „Ende-zu-Ende-verschlüsselt“ wird im Browser des Absenders verschlüsselt, mit einem Schlüssel, der nur im Link steht, hinter dem #. Diesen Teil senden Browser nicht, daher hat dieser Server den Schlüssel nie. Alle anderen Geheimnisse verschlüsselt dieser Server; ihr Link lässt sich auch ohne Skripte öffnen.',
  'how.endToEndOperator': 'Der Betreiber dieser Website und Diebe',
  'how.endToEndOperatorText':
    'Nie das Geheimnis, seine Dateien oder deren Namen. Der Betreiber sieht dasselbe wie bei allen anderen: Name und Notiz, Grenzen, Zeiten, Anzahlen, Netzwerkadressen, Anzahl und Größe der Dateien und ungefähr die Länge des Geheimnisses.',
  'how.endToEndRecipient': 'Alle, die den ganzen Link haben',
  'how.endToEndRecipientText':
    'Das Geheimnis, bis es abläuft; mit einer Passphrase ist beides nötig. Wer es öffnet, kann es behalten. Ohne den Teil hinter dem # öffnet ein Link nichts und verbraucht keinen Aufruf; er zeigt nur, wie viele Aufrufe übrig sind.',
  'how.endToEndLimits':
    'Dieser Server liefert das Skript, das entschlüsselt. Ein Betreiber könnte ein anderes liefern, das weitergibt, was es liest; wenn Sie sich darauf nicht verlassen wollen, öffnen Sie den Link mit den Befehlen, die seine Seite zeigt. Ein verlorener Link lässt sich nicht wiederherstellen: Dieser Server kann ihn nicht noch einmal zeigen oder mailen.',
  'how.limits': 'Aufrufe und Ablauf',
  'how.views':
    'Jedes Anzeigen des Geheimnisses zählt als ein Aufruf. Es läuft ab, wenn alle Aufrufe verbraucht sind oder seine Zeit um ist, je nachdem, was zuerst eintritt. Danach kann es niemand mehr öffnen.',
  'how.lastFiles':
    'Dateien des letzten Aufrufs können noch zehn Minuten lang heruntergeladen werden, außer das Geheimnis wird gelöscht.',
  'how.ownerViews': 'Auch Ihre eigenen Aufrufe zählen.',
  'how.noOwnerViews': 'Ihre eigenen Aufrufe zählen nicht, solange Sie angemeldet sind.',
  'how.deletion': 'Was wann gelöscht wird',
  'how.deletionText':
    'Das Geheimnis und sein Schlüssel werden mit dem letzten Aufruf gelöscht, oder wenn jemand das Geheimnis löscht, und sonst etwa eine Minute nach Ablauf seiner Zeit. Dateien werden gelöscht, kurz nachdem ihr letzter Download-Link abgelaufen ist.',
  'how.remains':
    'Grenzen, Zeiten und Anzahlen bleiben noch eine Weile gespeichert. Ohne Konto werden sie einen Tag später gelöscht.',
  'how.keptForDays':
    'Mit einem Konto bleiben sie mit Name, Notiz und Aktivität {days, plural, one {# Tag} other {# Tage}} gespeichert oder bis das Konto gelöscht wird.',
  'how.keptForever':
    'Mit einem Konto bleiben sie mit Name, Notiz und Aktivität gespeichert, bis das Konto gelöscht wird.',
  'how.recorded': 'Was über Empfänger aufgezeichnet wird',
  'how.recordedText':
    'Jeder Aufruf, jede falsche Passphrase, der erste Download jeder Datei und das Löschen werden mit Zeit, Netzwerkadresse, Browser und verweisender Seite aufgezeichnet. Hier kann das nur das Konto lesen, das das Geheimnis erstellt hat; der Betreiber kann es in der Datenbank lesen.',
  'how.site': 'Diese Website',
  'how.version': 'Sealpush Version {version}',

  'mail.link': 'Öffnen Sie diesen Link',
  'mail.linkEnds': 'Der Link funktioniert einmal, bis {time}.',
  'mail.notAsked': 'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail.',
  'mail.notYou': 'Wenn Sie das nicht waren, setzen Sie sofort ein neues Passwort',
  'mail.signUpSubject': 'Ihr Konto bei {site} erstellen',
  'mail.signUpText':
    'Jemand hat ein Konto mit der Adresse {email} angefordert. Wählen Sie ein Passwort, um es zu erstellen.',
  'mail.takenSubject': 'Sie haben bereits ein Konto',
  'mail.takenText':
    'Jemand wollte mit {email} ein Konto erstellen oder diese Adresse für sein Konto verwenden. Sie haben damit schon ein Konto, und nichts hat sich geändert. Wenn Sie Ihr Passwort vergessen haben, können Sie ein neues wählen.',
  'mail.takenLink': 'Neues Passwort wählen',
  'mail.resetSubject': 'Neues Passwort wählen',
  'mail.resetText':
    'Jemand hat ein neues Passwort für das Konto {email} angefordert. Solange Sie keines wählen, ändert sich nichts.',
  'mail.resetByAdministratorText':
    'Ein Administrator hat Ihnen diesen Link für ein neues Passwort des Kontos {email} geschickt. Solange Sie keines wählen, ändert sich nichts.',
  'mail.invitationSubject': 'Ihr Konto bei {site}',
  'mail.invitationText':
    'Ein Administrator von {site} hat das Konto {email} für Sie angelegt. Wählen Sie ein Passwort, um es zu benutzen.',
  'mail.verifySubject': 'Bestätigen Sie Ihre E-Mail-Adresse',
  'mail.verifyText':
    'Jemand möchte die Adresse {email} für sein Konto verwenden. Wenn Sie das sind, melden Sie sich an und öffnen Sie diesen Link. Öffnen Sie ihn sonst nicht.',
  'mail.tokenSubject': 'Neues API-Token für Ihr Konto',
  'mail.tokenText':
    'Für das Konto {email} wurde ein API-Token erstellt. Programme, die es haben, können im Namen Ihres Kontos handeln.',
  'mail.passwordSubject': 'Ihr Passwort wurde geändert',
  'mail.passwordText': 'Das Passwort des Kontos {email} wurde geändert.',
  'mail.emailSubject': 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
  'mail.emailText':
    '{email} ist nicht mehr die Adresse Ihres Kontos. Wenn Sie das nicht waren, wenden Sie sich an den Betreiber dieser Website.',
  'mail.administratorSubject': 'Sie sind jetzt Administrator',
  'mail.administratorText': 'Das Konto {email} ist jetzt Administrator.',
  'mail.disabledSubject': 'Ihr Konto wurde gesperrt',
  'mail.disabledText':
    'Ein Administrator hat das Konto {email} gesperrt. Es kann sich nicht mehr anmelden und seine API-Token nicht mehr benutzen.',
  'mailLink.recipients': 'Den Link per E-Mail senden an (optional)',
  'mailLink.hint':
    'Bis zu fünf E-Mail-Adressen mit Kommas dazwischen. Die E-Mail sagt, dass sie von Ihnen ist, außer Sie haben das in Ihrem Konto abgeschaltet. Die Passphrase enthält sie nie.',
  'mailLink.notEncrypted':
    'Der Link eines Geheimnisses, das Ihr Browser verschlüsselt, lässt sich nicht von hier senden: Nur Ihr Browser kennt ihn ganz.',
  'mailLink.sent':
    'Der Link wird per E-Mail an {count, plural, one {eine Adresse} other {# Adressen}} gesendet.',
  'linkMail.waiting': 'wartet',
  'linkMail.sending': 'wird gesendet',
  'linkMail.retrying': 'noch nicht gesendet, wir versuchen es einen Tag lang weiter: {reason}',
  'linkMail.sent': 'gesendet',
  'linkMail.failed': 'nicht gesendet: {reason}',
  'linkMail.notAccepted': 'Der Mailserver hat die Mail nicht angenommen (SMTP {code})',
  'linkMail.unreachable': 'Der Mailserver war nicht erreichbar',
  'linkMail.pushEnded': 'Das Geheimnis war vorher abgelaufen',
  'linkMail.accountMayNot': 'Das Konto durfte keine Mails mehr versenden',
  'linkMail.unexpected': 'Bei uns ist ein Fehler aufgetreten',
  'mailLink.title': 'Den Link per E-Mail senden',
  'mailLink.addresses': 'E-Mail-Adressen',
  'mailLink.submit': 'Senden',
  'notices.title': 'E-Mails',
  'notices.link': 'Wählen, welche E-Mails Sie bekommen und ob die, die Sie senden, Sie nennen',
  'notices.back': '← Ihr Konto',
  'notices.received': 'E-Mails an Sie',
  'notices.intro':
    'Wir senden eine E-Mail an {email}, wenn mit einem Geheimnis, das Sie von jetzt an erstellen, eines davon geschieht, außer Sie wählen beim Erstellen etwas anderes. Ihre eigenen Aufrufe zählen nicht.',
  'notices.when': 'Sie bekommen eine E-Mail, wenn eines davon geschieht',
  'notices.firstView': 'Es wird zum ersten Mal geöffnet',
  'notices.eachView': 'Es wird geöffnet, jedes Mal',
  'notices.passphrase': 'Jemand gibt eine falsche Passphrase ein (höchstens eine E-Mail in der Stunde)',
  'notices.unseen': 'Es läuft ab, und niemand hat es geöffnet',
  'notices.submit': 'Speichern',
  'notices.sent': 'E-Mails, die Sie senden',
  'notices.named': 'Sagen, dass sie von {email} sind',
  'notices.namedHint':
    'Das betrifft Links, die Sie auf diesen Seiten per E-Mail senden. E-Mails, die ein Programm mit einem API-Token sendet, nennen Sie nie.',
  'notices.saved': 'Gespeichert.',
  'notices.unavailable': 'Dieses Konto bekommt keine E-Mails, bis seine E-Mail-Adresse bestätigt ist.',
  'mail.footer': 'Gesendet von {name}, {url}. Antworten auf diese E-Mail werden nicht gelesen.',
  'mail.link.subject':
    '{isNamed, select, yes {{sender}} other {Jemand}} hat Ihnen mit {site} ein Geheimnis geschickt',
  'mail.link.intro':
    '{isNamed, select, yes {{sender}} other {Jemand}} hat Ihnen mit {site} ein Geheimnis geschickt, etwa ein Passwort oder eine Datei. Nur dieser Link öffnet es.',
  'mail.link.label': 'Das Geheimnis öffnen',
  'mail.link.limits':
    'Es lässt sich bis {time} noch {views, plural, one {einmal} other {#-mal}} öffnen, von allen, die den Link haben.',
  'mail.link.passphrase': 'Sie brauchen auch eine Passphrase. Sie bekommen sie vom Absender auf anderem Weg.',
  'mail.link.unexpected':
    'Diese E-Mail sagt nicht, von wem das Geheimnis ist. Wenn Sie es nicht erwarten, fragen Sie nach, bevor Sie den Link öffnen.',
  'mail.notice.named': 'Ihr Geheimnis „{name}“ vom {time}:',
  'mail.notice.unnamed': 'Ihr Geheimnis vom {time}:',
  'mail.notice.label': 'Ihre Geheimnisse',
  'mail.notice.why':
    'Sie bekommen diese E-Mail, weil Sie das in Ihrem Konto oder beim Erstellen des Geheimnisses so gewählt haben.',
  'mail.viewed.subject': 'Ihr Geheimnis wurde geöffnet',
  'mail.viewed.text': 'Es wurde am {time} geöffnet.',
  'mail.passphrase.subject': 'Falsche Passphrase für Ihr Geheimnis',
  'mail.passphrase.text':
    'Jemand hat am {time} eine falsche Passphrase eingegeben. Sie bekommen für jedes Geheimnis höchstens eine solche E-Mail in der Stunde.',
  'mail.unseen.subject': 'Ihr Geheimnis lief ungeöffnet ab',
  'mail.unseen.text': 'Es lief am {time} ab. Außer Ihnen hatte es niemand geöffnet.',

  'instanceAudit.title': 'Protokoll',
  'instanceAudit.intro':
    'Was Konten, Administratoren, Befehle und der Dienst selbst getan haben, das Neueste zuerst. Was mit Geheimnissen geschieht, steht im Protokoll des einzelnen Geheimnisses.',
  'instanceAudit.none': 'Es gibt keine Einträge.',
  'instanceAudit.kind': 'Art des Eintrags',
  'instanceAudit.allKinds': 'Alle Einträge',
  'instanceAudit.by': 'Durch',
  'instanceAudit.by.visitor': 'Ein Besucher',
  'instanceAudit.by.command': 'Befehl von {user}',
  'instanceAudit.by.service': 'Der Dienst',
  'instanceAudit.isLastOfHour': 'weitere in dieser Stunde stehen nur im Log des Servers',
  'instanceAudit.signed_in': 'Angemeldet',
  'instanceAudit.sign_in_failed': 'Falsche E-Mail-Adresse oder falsches Passwort',
  'instanceAudit.signed_out_everywhere': 'Überall abgemeldet',
  'instanceAudit.account_created': 'Konto angelegt',
  'instanceAudit.account_disabled': 'Konto gesperrt',
  'instanceAudit.account_enabled': 'Konto freigegeben',
  'instanceAudit.account_deleted': 'Konto gelöscht',
  'instanceAudit.email_changed': 'E-Mail-Adresse geändert',
  'instanceAudit.email_verified': 'E-Mail-Adresse bestätigt',
  'instanceAudit.password_set': 'Passwort gesetzt',
  'instanceAudit.password_link_created': 'Link für ein Passwort erstellt',
  'instanceAudit.password_link_sent': 'Link für ein Passwort von einem Administrator angefordert',
  'instanceAudit.administrator_added': 'Zum Administrator gemacht',
  'instanceAudit.administrator_removed': 'Nicht mehr Administrator',
  'instanceAudit.token_created': 'API-Token erstellt',
  'instanceAudit.token_revoked': 'API-Token widerrufen',
  'instanceAudit.webhook_added': 'Webhook der Installation hinzugefügt',
  'instanceAudit.webhook_secret_replaced': 'Geheimnis eines Webhooks der Installation ersetzt',
  'instanceAudit.webhook_enabled': 'Webhook der Installation eingeschaltet',
  'instanceAudit.webhook_deleted': 'Webhook der Installation gelöscht',
  'instanceAudit.settings_changed': 'Einstellungen geändert',
  'instanceAudit.master_key_added': 'Hauptschlüssel hinzugefügt',
  'instanceAudit.master_key_removed': 'Hauptschlüssel entfernt',
  'instanceAudit.keys_rotated': 'Schlüssel gewechselt',
  'instanceAudit.pushes_purged': 'Abgelaufene Geheimnisse entfernt',
  'instanceAudit.database_exported': 'Datenbank exportiert',
  'instanceAudit.database_imported': 'Datenbank importiert',
  'instanceAudit.database_backed_up': 'Datenbank gesichert',
  'instanceAudit.audit_exported': 'Protokoll exportiert',

  'overview.title': 'Übersicht',
  'overview.accounts': 'Konten',
  'overview.number': '{count, number}',
  'overview.stored': 'Was gespeichert ist',
  'overview.accountsOf': '{total, number} ({disabled, number} gesperrt)',
  'overview.active': 'Aktive Geheimnisse',
  'overview.ended': 'Abgelaufene Geheimnisse',
  'overview.createdInDay': 'Erstellt in den letzten 24 Stunden',
  'overview.createdInWeek': 'Erstellt in den letzten 7 Tagen',
  'overview.views': 'Gezählte Aufrufe',
  'overview.files': 'Dateien',
  'overview.filesOf': '{count, number} ({size})',
  'overview.countedAt':
    'Gezählt am {time}, höchstens einmal in der Minute. Entfernte Geheimnisse zählen nicht mehr mit.',
  'overview.beingCounted': 'Das Zählen dauert etwas. Die Zahlen stehen bald hier.',
  'overview.reload': 'Seite neu laden',
  'overview.storage': 'Speicher',
  'overview.onDisk': 'Auf einer Festplatte dieses Servers',
  'overview.onS3': 'In einem Bucket (S3)',
  'overview.free': 'Frei auf dieser Festplatte',
  'overview.freeOf': '{free} von {total}',
  'overview.reserve': 'Von Uploads frei gelassen',
  'overview.databaseSize': 'Größe der Datenbank',
  'overview.version': 'Versionen',
  'overview.sealpush': 'Sealpush',
  'overview.node': 'Node.js',
  'overview.database': 'Datenbank',
  'overview.schema': 'Letzte Migration',
  'overview.startedAt': 'Läuft seit',
  'overview.messages': 'E-Mails und Webhooks',
  'overview.messagesWaiting': 'Wartende Nachrichten',
  'overview.messagesFailed': 'Fehlgeschlagene Nachrichten (30 Tage)',
  'overview.lastFailed': 'Letzte fehlgeschlagene Nachrichten',
  'overview.jobs': 'Hintergrundaufgaben',
  'overview.expiry': 'Ablauf',
  'overview.filePurge': 'Dateien abgelaufener Geheimnisse entfernen',
  'overview.orphanSweep': 'Unfertige Uploads entfernen',
  'overview.authCleanup': 'Beendete Sitzungen und Links entfernen',
  'overview.outbox': 'Nachrichten senden',
  'overview.auditChain': 'Protokolleinträge verketten',
  'overview.succeeded': 'Zuletzt gelaufen am {time}.',
  'overview.failed': 'Zuletzt fehlgeschlagen am {time}; der Grund steht im Protokoll.',
  'overview.neverRun': 'Seit dem Start nicht gelaufen.',
  'overview.jobsHint':
    'Für den Prozess, der diese Seite gesendet hat. Gibt es mehrere, so haben die anderen eigene Läufe.',
  'overview.settings': 'Geltende Einstellungen',
  'overview.settingsIntro':
    'Gesetzt durch Umgebungsvariablen beim Start des Dienstes. Geheime Werte werden nicht gezeigt.',
  'overview.setting': 'Einstellung',
  'overview.value': 'Wert',
  'overview.origin': 'Gesetzt oder Vorgabe',
  'overview.set': 'Gesetzt',
  'overview.default': 'Vorgabe',
  'overview.notSet': 'Nicht gesetzt',
  'overview.hidden': '(nicht gezeigt)',
  'overview.none': '–',

  'docs.title': 'API',
  'docs.back': '← Zurück zur Website',
  'docs.elsewhere':
    'Version {version}. Dasselbe als Datei: <file>openapi.json</file>. Die Regeln als Text: <rules>docs/api.md</rules>.',
  'docs.inEnglish': 'Die Beschreibungen der API sind auf Englisch.',
  'docs.contents': 'Inhalt',
  'docs.schemas': 'Schemata',
  'docs.schemasText': 'Objekte der Antworten oben',
  'docs.parameters': 'Parameter',
  'docs.body': 'Body',
  'docs.example': 'Beispiel',
  'docs.responses': 'Antworten',
  'docs.headers': 'Header:',
  'docs.tokenRequired': 'Benötigt einen API-Token.',
  'docs.tokenOptional':
    'Ein API-Token ist optional, außer wenn die Installation keine anonyme Nutzung erlaubt.',
  'docs.tokenUnused': 'Benötigt keinen API-Token.',
  'docs.try': 'Ausprobieren',
  'docs.send': 'Anfrage senden',
  'docs.token': 'API-Token',
  'docs.tokenHint': 'Wird nur im Speicher dieser Seite gehalten und nur an diese Installation gesendet.',
  'docs.optional': '{name} (optional)',
  'docs.forExample': 'zum Beispiel {example}',
  'docs.createsPush': 'Das erstellt einen echten Push auf dieser Installation.',
  'docs.deletesPush': 'Das löscht einen echten Push und kann nicht rückgängig gemacht werden.',
  'docs.usesView':
    'Das verbraucht einen Aufruf eines echten Push; der letzte beendet ihn. Eine falsche Passphrase zählt als Versuch.',
  'docs.downloadsFile':
    'Das lädt eine echte Datei herunter. Der erste Download wird im Protokoll des Push aufgezeichnet.',
  'docs.inPath': 'im Pfad',
  'docs.inQuery': 'in der Query',
  'docs.inHeader': 'im Header',
  'docs.required': 'erforderlich',
  'docs.alwaysPresent': 'immer vorhanden',
  'docs.anyName': '(beliebiger Name)',
  'docs.anyValue': 'beliebiger Wert',
  'docs.listOf': 'Liste von {type}',
  'docs.oneOf': 'einer von {values}',
  'docs.matches': 'entspricht {pattern}',
  'docs.file': 'Datei',
  'docs.always': 'immer {value}',
  'docs.either': '{first} oder {second}',
  'docs.range': '{min} bis {max}',
  'docs.atLeast': 'mindestens {min}',
  'docs.atMostItems': 'höchstens {max} davon',
  'docs.atMostCharacters': 'höchstens {max} Zeichen',
  'docs.default': 'Vorgabe {value}',

  'error.home': 'Zur Startseite',
  'error.400': 'Anfrage nicht verstanden',
  'error.403': 'Nicht erlaubt',
  'error.404': 'Seite nicht gefunden',
  'error.410': 'Abgelaufen',
  'error.413': 'Zu groß',
  'error.429': 'Zu viele Anfragen',
  'error.503': 'Vorübergehend nicht verfügbar',
  'error.other': 'Ein Fehler ist aufgetreten',
  'error.404Text': 'Prüfen Sie die Adresse. Möglicherweise wurde die Seite verschoben.',
  'resend.after':
    'Warten Sie {time} und laden Sie dann diese Seite neu: Ihr Browser fragt nach und sendet das Formular dann erneut, so wie Sie es ausgefüllt haben. Es wird nur ein Link erstellt.',
  'resend.later':
    'Laden Sie diese Seite neu, um es erneut zu versuchen: Ihr Browser fragt nach und sendet das Formular dann erneut, so wie Sie es ausgefüllt haben. Es wird nur ein Link erstellt.',
  'resend.back': 'Wenn Sie stattdessen zurückgehen, geben Sie Geheimnis und Passphrase erneut ein.',
  'resend.signedIn':
    'Melden Sie sich <link>in einem neuen Tab an</link> und laden Sie dann diese Seite neu: Ihr Browser fragt nach und sendet das Formular dann erneut, so wie Sie es ausgefüllt haben.',

  'formError.required': 'Bitte füllen Sie dieses Feld aus.',
  'formError.notAccepted': 'Dieser Wert ist nicht zulässig.',
  'formError.invalidText': 'Der Text enthält ungültige Zeichen.',
  'formError.tooLong': 'Höchstens {count, number} Zeichen.',
  'formError.wholeNumber': 'Geben Sie eine ganze Zahl von {min, number} bis {max, number} ein.',
  'formError.address': 'Geben Sie eine vollständige Adresse ein, zum Beispiel https://example.com.',
  'formError.kind': 'Das ist hier nicht verfügbar. Verfügbar: {kinds}.',
  'formError.filesDisabled': 'Dateien sind hier nicht verfügbar.',
  'formError.filesNeeded': 'Wählen Sie mindestens eine Datei.',
  'formError.tooManyFiles':
    '{count, plural, one {Wählen Sie nur eine Datei.} other {Wählen Sie höchstens # Dateien.}}',
  'formError.fileTooLarge': 'Eine Datei darf höchstens {size} groß sein.',
  'formError.filesTooLarge': 'Alle Dateien zusammen dürfen höchstens {size} groß sein.',
  'formError.fileQuota':
    'Sie können pro Tag (UTC) Dateien mit insgesamt {size} teilen. Versuchen Sie es morgen erneut.',
  'formError.recipients': 'Geben Sie E-Mail-Adressen mit Kommas dazwischen ein.',
  'formError.recipientsTooMany':
    'Geben Sie höchstens {count, plural, one {eine Adresse} other {# Adressen}} ein.',
  'formError.recipientsTwice': 'Geben Sie jede Adresse nur einmal ein.',
  'formError.recipientsInAll':
    'Der Link eines Geheimnisses kann insgesamt an {count, plural, one {einen Empfänger} other {# Empfänger}} gesendet werden.',
  'formError.mailQuota':
    'Ihr Konto hat heute so viele Mails versenden lassen, wie es darf. Versuchen Sie es morgen wieder.',
  'formError.tooManyMailRequests':
    'Sie haben zu oft Mails versenden lassen. Versuchen Sie es in einer Minute noch einmal.',
  'formError.mailEnded': 'Dieses Geheimnis ist abgelaufen: Sein Link lässt sich nicht mehr senden.',
  'formError.notVerified': 'Bestätigen Sie zuerst die E-Mail-Adresse Ihres Kontos.',
  'formError.mailsNeedAccount':
    'Melden Sie sich an, damit E-Mails gesendet werden, oder erstellen Sie den Link ohne sie.',
  'formError.mailsNotAvailable':
    'Für dieses Geheimnis können keine E-Mails gesendet werden. Erstellen Sie den Link ohne sie.',
  'formError.mailNotAllowed': 'Nur wem dieses Geheimnis gehört, kann den Link senden lassen.',
  'formError.filesNeedAccount': 'Melden Sie sich an, um Dateien zu teilen.',
  'formError.storeUnavailable':
    'Dateien können derzeit nicht gespeichert oder gelesen werden. Versuchen Sie es später erneut.',
  'formError.download': 'Dieser Download-Link ist ungültig oder abgelaufen.',
  'formError.email': 'Geben Sie eine gültige E-Mail-Adresse ein.',
  'formError.emailTaken': 'Es gibt bereits ein Konto mit dieser E-Mail-Adresse.',
  'formError.passwordLength': 'Verwenden Sie {min, number} bis {max, number} Zeichen.',
  'formError.passwordWeak': 'Dieses Passwort ist zu leicht zu erraten.',
  'formError.passwordRepeat': 'Die beiden Passwörter sind verschieden. Geben Sie beide noch einmal ein.',
  'formError.currentPassword': 'Das ist nicht Ihr aktuelles Passwort.',
  'formError.signIn': 'E-Mail-Adresse oder Passwort ist falsch.',
  'formError.signInNeeded': 'Bitte melden Sie sich zuerst an.',
  'formError.lastAdministrator':
    'Das ist der letzte Administrator, der sich anmelden kann. Machen Sie zuerst ein anderes Konto zum Administrator.',
  'formError.justAdministrator':
    'Dieses Konto wurde gerade zum Administrator gemacht. Es wurde nicht gelöscht.',
  'formError.noAccount': 'Es gibt kein Konto mit dieser E-Mail-Adresse.',
  'formError.passwordLink':
    'Dieser Link wurde benutzt oder ersetzt oder ist abgelaufen. Bitten Sie den Absender um einen neuen.',
  'formError.otherAccountsLink':
    'Dieser Link ist für ein anderes Konto. Melden Sie sich bei jenem Konto an und öffnen Sie den Link dann noch einmal.',
  'formError.tooManyMails':
    'Von Ihrem Netzwerk aus wurden zu viele E-Mails angefordert. Versuchen Sie es später noch einmal.',
  'formError.setupCode': 'Das ist nicht der Einrichtungscode. Er steht im Log des letzten Starts.',
  'formError.tooManyCodes': 'Zu viele falsche Codes. Versuchen Sie es später noch einmal.',
  'formError.accountDeleted': 'Dieses Konto wurde gelöscht.',
  'formError.httpsAddress': 'Geben Sie eine vollständige Adresse ein, die mit https:// beginnt.',
  'formError.userInAddress': 'Lassen Sie Benutzername und Passwort vor dem Host weg.',
  'formError.privateAddress': 'Diese Adresse ist nicht öffentlich.',
  'formError.eventNeeded': 'Wählen Sie mindestens ein Ereignis.',
  'formError.tooManyWebhooks': 'Es kann höchstens {count, plural, one {# Webhook} other {# Webhooks}} geben.',
  'formError.noMoreWebhooks': 'Auf dieser Website können keine weiteren Webhooks hinzugefügt werden.',
  'formError.passphraseNeeded': 'Geben Sie die Passphrase ein.',
  'formError.passphraseWrong': 'Die Passphrase ist falsch.',
  'formError.tooManyPassphrases': 'Zu viele falsche Passphrasen. Versuchen Sie es später erneut.',
  'formError.tooManyPasswords': 'Zu viele falsche Passwörter. Versuchen Sie es später erneut.',
  'formError.tooManyEmailChanges':
    'Zu viele Versuche, die E-Mail-Adresse zu ändern. Versuchen Sie es später erneut.',
  'formError.tooManyAccounts':
    'Aus Ihrem Netzwerk wurden zu viele Konten erstellt. Versuchen Sie es später erneut.',
  'formError.tooManyRequests': 'Zu viele Anfragen. Versuchen Sie es später erneut.',
  'formError.busy': 'Der Server ist ausgelastet. Versuchen Sie es in einigen Sekunden erneut.',
  'formError.unavailable':
    'Der Dienst ist vorübergehend nicht verfügbar. Versuchen Sie es in einigen Sekunden erneut.',
  'formError.unexpected': 'Ein unerwarteter Fehler ist aufgetreten. Versuchen Sie es später erneut.',
  'formError.otherSite':
    'Dieses Formular wurde von einer anderen Website gesendet. Es wurde nichts geändert.',
  'formError.tooManySelected': 'Wählen Sie höchstens {count, number} Geheimnisse auf einmal aus.',
  'formError.search': 'Diese Suche ist nicht mehr gültig. Bitte suchen Sie erneut.',
  'formError.deleteNotAllowed': 'Nur der Eigentümer kann dieses Geheimnis löschen.',
  'formError.ownerChanged':
    'Ihr Konto hat sich geändert, seit dieses Formular angezeigt wurde. Es wurde nichts erstellt.',
  'formError.createdBefore':
    'Dieses Formular hat bereits einen Link in einem anderen Konto erstellt, und es wurde kein weiterer erstellt. Melden Sie sich bei diesem Konto an, um ihn zu finden.',
  'formError.secretAgain': 'Geben Sie das Geheimnis erneut ein.',
  'formError.passphraseAgain': 'Geben Sie die Passphrase erneut ein.',
  'formError.filesAgain': 'Wählen Sie die Dateien erneut aus.',
  'formError.formUsed':
    'Das mit diesem Formular erstellte Geheimnis ist abgelaufen. Es wurde kein neues erstellt.',
  'formError.formTooLarge': 'Das Formular ist zu groß.',
  'formError.formTooSlow': 'Das Senden des Formulars hat zu lange gedauert.',
  'formError.formUnreadable': 'Das Formular konnte nicht gelesen werden.',
  'formError.page': 'Seitenzahlen gehen von 1 bis {max, number}.',
  'formError.badAddress': 'Die Adresse dieser Seite ist ungültig.',

  'script.selected': '{count} ausgewählt',
  'script.copied': 'Kopiert',
  'script.copyByHand': 'Strg+C drücken',
  'script.copyOnMac': '⌘C drücken',
  'script.copyByTouch': 'Zum Kopieren gedrückt halten',
  'script.labelText': 'Geheimnis',
  'script.labelUrl': 'Webadresse',
  'script.labelQr': 'Inhalt des QR-Codes',
  'script.labelFile': 'Nachricht (optional)',
  'script.noResponse':
    'Keine Antwort vom Server. Versuchen Sie es erneut: Solange Sie das Formular nicht ändern, wird nur ein Link erstellt.',
  'script.openFailed':
    'Keine vollständige Antwort vom Server. Möglicherweise wurde ein Aufruf verbraucht. Versuchen Sie es erneut.',
  'script.openOffline':
    'Sie sind offline. Es wurde kein Aufruf verbraucht. Versuchen Sie es erneut, sobald Sie verbunden sind.',
  'script.tooManyAttempts': 'Zu viele Versuche.',
  'script.tryAgainLater': 'Versuchen Sie es später erneut.',
  'script.endToEndChecking': 'Der Schlüssel wird geprüft …',
  'script.endToEndNotReady':
    'Was das Geheimnis entschlüsselt, konnte nicht geladen werden. Es wurde kein Aufruf verbraucht. Versuchen Sie es erneut.',
  'script.endToEndWrongKey':
    'Der Schlüssel in diesem Link ist falsch: Ein Teil des Links wurde verändert. Es wurde kein Aufruf verbraucht. Bitten Sie den Absender noch einmal um den Link.',
  'script.endToEndDamaged':
    'Das Geheimnis kann nicht entschlüsselt werden: Es wurde auf dem Server beschädigt oder verändert. Ein Aufruf wurde verbraucht.',
  'script.endToEndUnsupported':
    'Das Geheimnis wurde entschlüsselt, aber diese Version kann den Inhalt nicht anzeigen. Ein Aufruf wurde verbraucht.',
  'script.endToEndNotLoaded':
    'Das Geheimnis ist angekommen, aber was es entschlüsselt, konnte nicht geladen werden. Versuchen Sie es erneut: Das verbraucht keinen weiteren Aufruf.',
  'script.endToEndSaved': '{name} wurde entschlüsselt und gespeichert.',
  'script.endToEndCancelled': 'Der Download von {name} wurde abgebrochen. Es wurde nichts gespeichert.',
  'script.endToEndFileDamaged':
    '{name} kann nicht entschlüsselt werden: Die Datei ist beschädigt, unvollständig oder eine andere. Es wurde nichts gespeichert.',
  'script.endToEndFileFailed':
    'Der Download von {name} wurde unterbrochen. Es wurde nichts gespeichert. Versuchen Sie es erneut.',
  'script.linksExpired': 'Die Download-Links sind abgelaufen.',
  'script.downloadFailed': 'Der Download konnte nicht gestartet werden. Versuchen Sie es erneut.',
  'script.endsOnce': 'Verfügbar für 1 Aufruf, längstens bis {time}.',
  'script.endsAfter': 'Verfügbar für {views} Aufrufe, längstens bis {time}.',
  'script.remove': 'Entfernen',
  'script.removeFile': '{name} entfernen',
  'script.noFolders':
    'Ordner können nicht geteilt werden. Wählen Sie die Dateien darin, oder erstellen Sie eine Zip-Datei.',
  'script.useAddress': '{address} verwenden',
  'script.wordsFailed': 'Die Wortliste konnte nicht geladen werden. Versuchen Sie es erneut.',
  'script.offline':
    'Sie sind offline. Ihre Eingaben bleiben erhalten: Versuchen Sie es erneut, sobald Sie verbunden sind.',
  'script.cancelled':
    'Abgebrochen. Wenn Sie das Formular unverändert erneut senden, wird nur ein Link erstellt.',
  'script.invalid': 'Prüfen Sie die markierten Felder.',
  'script.tooLarge': 'Das ist zu groß, um es hier zu senden.',
  'script.serverError':
    'Der Server kann im Moment keine Links erstellen. Versuchen Sie es erneut: Solange Sie das Formular nicht ändern, wird nur ein Link erstellt.',
  'script.tooMany': 'Zu viele Anfragen.',
  'script.tryAgainIn': 'Versuchen Sie es in {time} erneut.',
  'script.bodyNotShown': '{length} Bytes, nicht angezeigt',
  'script.requestFailed': 'Keine Antwort. Die Anfrage kann trotzdem gewirkt haben. ({error})',
  'script.signIn': 'Anmelden',
  'script.signedIn': 'Sie sind angemeldet. Der Link wird in Ihrem Konto erstellt.',
  'script.signInNeeded':
    'Sie sind nicht mehr angemeldet. Melden Sie sich an, kehren Sie zu dieser Seite zurück und senden Sie das Formular erneut.',
  'script.signedOut':
    'Sie sind nicht mehr angemeldet, und es wurde nichts erstellt. Melden Sie sich an, kehren Sie zu dieser Seite zurück und senden Sie das Formular erneut, oder erstellen Sie den Link ohne Konto.',
  'script.otherAccount': 'Sie sind jetzt als {email} angemeldet. Es wurde nichts erstellt.',
  'script.createAs': 'Link als {email} erstellen',
  'script.createAnonymously': 'Link ohne Konto erstellen',

  'endToEnd.choice': 'Wer kann es lesen?',
  'endToEnd.byBrowser': 'Nur wer den Link hat, kann es lesen, dieser Server nicht',
  'endToEnd.byServer': 'Jeder mit dem Link kann es öffnen, auch ohne JavaScript',
  'endToEnd.ownerFields': 'Name und Notiz kann dieser Server lesen.',
  'endToEnd.required':
    'Geheimnisse müssen hier im Browser verschlüsselt werden. Es wurde nichts erstellt. Das braucht JavaScript und eine Verbindung über https.',
  'endToEnd.needsScript':
    'Dieses Formular lässt sich ohne JavaScript nicht benutzen: Geheimnisse werden hier im Browser verschlüsselt.',
  'endToEnd.needsHttps':
    'Dieses Formular lässt sich hier nicht benutzen: Geheimnisse werden im Browser verschlüsselt, und das braucht eine Adresse mit https und einen aktuellen Browser.',
  'endToEnd.factByBrowser':
    'Im Browser verschlüsselt: Nur wer den ganzen Link hat, kann es lesen, dieser Server nicht.',
  'endToEnd.factByServer': 'Von diesem Server verschlüsselt.',
  'endToEnd.noLinkTitle': 'Dieser Link kann nicht noch einmal gezeigt werden',
  'endToEnd.noLink':
    'Das Geheimnis wurde in einem Browser verschlüsselt, und der Schlüssel am Ende des Links ist nur in dem Tab, in dem es erstellt wurde. Dieser Server hatte ihn nie. Wer den Link hat, kann das Geheimnis weiterhin öffnen.',
  'script.endToEndEncrypting': 'Wird verschlüsselt …',
  'script.endToEndUnavailable':
    'Die Verschlüsselung konnte nicht geladen werden, und es wurde nichts gesendet. Versuchen Sie es erneut.',
  'script.endToEndFailed':
    'Das Geheimnis konnte nicht verschlüsselt werden, und es wurde nichts gesendet. Wenn Sie Dateien gewählt haben, wählen Sie sie erneut: Sie können sich geändert haben.',
  'script.endToEndNotAccepted':
    'Der Server hat dies nicht als im Browser verschlüsselt angenommen, der Link würde also nicht funktionieren. Laden Sie die Seite neu und versuchen Sie es erneut.',
  'script.endToEndRequired': 'Bitte füllen Sie dieses Feld aus.',
  'script.endToEndAddress': 'Geben Sie eine vollständige Adresse ein, zum Beispiel https://example.com.',
  'script.endToEndTooLong': 'Das ist zu lang.',
  'script.endToEndTooLongEncrypted':
    'Das ist zu lang: Verschlüsselt hat es {length} Zeichen, und {max} können gesendet werden. Senden Sie es als Datei.',
  'script.endToEndInvalid': 'Der Text enthält ungültige Zeichen.',
  'script.endToEndFilesNeeded': 'Wählen Sie mindestens eine Datei.',
  'script.endToEndPassphrase': 'Geben Sie die Passphrase erneut ein.',
  'script.endToEndOverhead': 'Durch die Verschlüsselung im Browser werden Dateien etwas größer.',
};
