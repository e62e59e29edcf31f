# The portal of LemonLDAP::NG, without pictures of letters: no form of the tests shows one, but the portal always loads
# the module that draws them, which needs ImageMagick.
package NoCaptcha;
use Mouse;
extends 'Lemonldap::NG::Common::Module';
sub init { 1 }
BEGIN { $INC{'NoCaptcha.pm'} = __FILE__ }

package main;
use Lemonldap::NG::Portal::Main;
Lemonldap::NG::Portal::Main->run( {} );
