import { Problem } from '../../platform/errors/problem.js';
import { isInvisible } from '../../shared/invisible-text.js';

/** The passwords that attackers try first and that are long enough to be accepted, in lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  0123456789 1029384756 1111111112 1122334455 1212121212 1234512345 12345678900 12345678910 123456789a
  123456789q 1234567890 12345678901 1234567891 1234567899 1234554321 1234abcd5678 123abc456def 123qweasdzxc
  1357924680 1a2b3c4d5e 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 3141592653
  9876543210 987654321a a123456789 a1b2c3d4e5 aa12345678 aa123456789 abc1234567 abcd123456 abcdefghij
  abcdefghijk access1234 admin12345 admin123456 admin@1234 admin@12345 administrator adminadmin alexander1
  asdasdasd1 asdf123456 asdfasdfasdf asdfghjkl1 asdfghjkl; asdfghjklq azertyuiop baseball123 basketball
  basketball1 businessman california changeit123 changeme11 changeme12 changeme123 changeme1234 changemenow
  charlie123 chocolate1 christopher computer123 december2024 december2025 december2026 default123 football123
  football2024 freedom1234 goodluck123 hello12345 hello123456 helloworld helloworld1 iloveyou12 iloveyou123
  iloveyou1234 iloveyou2 iloveyousomuch internet123 jennifer12 juventus1897 letmein123 letmein1234 letmeinnow
  liverpool1 liverpool123 logitech123 lovelovelove manchester manchester1 master1234 masterkey1 michael123
  microsoft1 minecraft1 minecraft123 monkey1234 motherlode mypassword mypassword1 newpassword ninja12345
  november2024 november2025 november2026 october2024 october2025 october2026 p@ssw0rd123 p@ssword12 p@ssword123
  passpasspass passphrase passphrase1 passw0rd12 passw0rd123 passw0rd1234 password00 password01 password11
  password12 password123 password123! password1234 password12345 password2024 password2025 password2026
  password99 password@1 password@123 passwordpassword poiuytrewq pokemon123 princess12 princess123 q1w2e3r4t5
  q1w2e3r4t5y6 qawsedrftg qazwsxedc1 qazwsxedcrfv qq123456789 qqww1122334 qwe123qwe123 qweasdzxc1 qweasdzxc123
  qwer123456 qwerasdfzxcv qwert12345 qwerty1234 qwerty12345 qwerty123456 qwertyqwerty qwertyuiop qwertyuiop1
  qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyuiop[]\\ qwertzuiop realmadrid rockyou123 samsung123 sealpush123
  secret1234 secretsecret september1 september2024 september2025 september2026 spiderman1 starwars123 summer2024!
  summer2025! summer2026! sunshine12 sunshine123 superman12 superman123 superstar1 target1234 test123456
  testtesttest testing123 thisisapassword thomas1234 trustno1234 unbelievable universal1 username123 valentina1
  webmaster1 welcome123 welcome1234 welcome123! welcome2024 welcome2025 welcome2026 whatever123 winter2024!
  winter2025! winter2026! zaq12wsxcde zaq1xsw2cde3 zxcvbnm123 zxcvbnm,./ zxcvbnmasdfghjkl
  `
    .split(/\s+/)
    .filter(Boolean),
);

const SHORTEST = 10;
const LONGEST = 128;

/** What is wrong with a password for the account with this email address; undefined when it is acceptable. */
export function passwordError(password: string, email?: string): Problem | undefined {
  const { length } = Array.from(password);
  if (length < SHORTEST || length > LONGEST)
    return new Problem('password_length', { min: SHORTEST, max: LONGEST });

  const plain = password.toLowerCase();
  const isSimple = new Set(plain).size < 4 || isInvisible(plain);
  if (isSimple || COMMON_PASSWORDS.has(plain) || plain === email) {
    return new Problem('password_weak');
  }
  return undefined;
}
