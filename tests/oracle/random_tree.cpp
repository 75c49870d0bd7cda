// Trees of random dimensions with revolute, prismatic and spherical joints, joint forces and
// gravity, and a chain whose tip a massless rod ties to the ground. Reference values: maximal
// coordinates in extended precision, accelerations good to 13 digits, trajectories to 1e-10;
// computed apart from any engine.

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "recursive/kinematics.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

/// A body whose frame stands in its joint: offset and fixed rotation (by rows) in the parent, then
/// the joint's motion: turn about or slide along z, or a rotation vector with the angular velocity
/// in the body's axes.
struct Link {
  JointType type;
  int parent;
  std::vector<double> offset, fixed, q, qd;
  double mass;
  std::vector<double> com;  ///< in the body
  std::vector<double> J;    ///< about the centre of mass, body axes: xx, yy, zz, xy, xz, yz
  double force;             ///< torque about, or force along, z of the body; reaction on the parent
};

struct Chain {
  std::vector<Link> links;
  std::vector<V> velocity, spin, acceleration, spin_rate;  ///< centres of mass, world axes, t = 0
  std::vector<V> place_later;                              ///< centres of mass, t = 0.2 s
  std::vector<Eigen::Quaterniond> attitude_later;
  double energy = 0.0;  ///< J, at t = 0
};

Chain revolute_tree() {
  Chain c;
  c.links = {
      {JointType::revolute,
       -1,
       {-0.25578424889858, -0.3844198068099, -0.029425178801324},
       {0.97163885101645, -0.037300892621184, -0.23350928590764, -0.11743002843347,
        0.78100312833119, -0.61338756260541, 0.20525138639617, 0.62341218864132, 0.75447273737087},
       {-1.9180655488351},
       {-1.5330509248799},
       2.5971467413173,
       {-0.19488767416376, -0.0050513570720513, 0.17672266093735},
       {0.07396584643949, 0.084046098695671, 0.075382617543808, -0.019255001479566,
        -0.0047181928370266, 0.022619753554439},
       -0.73453075354984},
      {JointType::revolute,
       0,
       {0.33702298890516, -0.071270177694413, -0.24823783446074},
       {0.12856186828946, 0.20967926231469, 0.96928141062185, -0.95654748185449, 0.28414624152624,
        0.065405109772413, -0.26170357464076, -0.93557229564672, 0.23709854204226},
       {0.71562833601397},
       {-0.059364728931347},
       0.42124302375709,
       {0.10993224561078, -0.0067575065622518, 0.11332368397652},
       {0.014196205442943, 0.012489669977011, 0.013545282143024, -5.5795367241444e-05,
        -0.00021893500799529, -0.0034279162676384},
       -0.29139125953806},
      {JointType::revolute,
       1,
       {-0.10830748560317, -0.3439817579004, -0.14450583435927},
       {0.54651441835751, -0.19694343706738, -0.81396269762406, 0.83467397569688, 0.049028565548647,
        0.54855770348671, -0.068127416079847, -0.9791881751514, 0.19117837958816},
       {1.0821922656601},
       {-0.80019196227778},
       1.9632496396962,
       {0.16216012832003, 0.11704855403197, 0.024727484057951},
       {0.021604042642021, 0.024074492342229, 0.024351601663746, 0.0020034703422451,
        0.0043027980759143, 0.0025530968203513},
       0.80465710017407},
      {JointType::revolute,
       2,
       {-0.079737253662553, -0.11324965732148, 0.24525343274218},
       {0.53270937082918, -0.53171707324246, 0.65840540721751, 0.84611106337766, 0.35098160665093,
        -0.40113336961995, -0.017798726378655, 0.77077160418324, 0.63686288910887},
       {-1.922626550807},
       {1.0385978702087},
       2.2932820816914,
       {0.056885943496422, 0.18297762113038, -0.066450231419563},
       {0.073074047307884, 0.066898305821761, 0.076590699588226, 0.023698304082337,
        -0.0063588873536518, 0.0017470441024611},
       -0.18896334203201},
      {JointType::revolute,
       3,
       {-0.065069255854527, -0.10590589994588, -0.2647769515274},
       {0.38484874070382, -0.10228938816719, 0.91729402475273, 0.82866081102167, 0.47596169901085,
        -0.29458737473222, -0.40646366019067, 0.87349719068987, 0.26793646784511},
       {0.30223416422094},
       {-0.72725122405181},
       0.82114881671981,
       {0.15011783200947, 0.059222576790325, 0.078426469908263},
       {0.01309479746773, 0.021823741194266, 0.020801493813482, -0.0029943264334881,
        0.0018195292549704, -0.00012717160264761},
       -1.1279864989179},
      {JointType::prismatic,
       3,
       {-0.32686833045948, -0.15921666412725, -0.33144415518929},
       {0.035069177866596, -0.99215990177205, 0.11995366638594, 0.75700635119694, 0.10473391863762,
        0.64495906113047, -0.65246573627375, 0.068187503272062, 0.75474427946575},
       {0.25347014296252},
       {0.44782252523923},
       1.9928941118165,
       {0.050089936028528, -0.092278583928582, 0.062683522475465},
       {0.07229595169824, 0.094128305563811, 0.068144420729505, 0.00046477526904549,
        0.0028308015113886, -0.0046475059223214},
       -0.024347995465976},
  };
  c.velocity = {
      V(0.2790519307618, -0.10702670330413, -0.00064632102118479),
      V(-0.61793217627969, 0.40907564377948, 0.1463826877477),
      V(0.31709435366567, 0.32691854165116, 0.18504623802383),
      V(-0.045010697651407, 0.20754936677602, 0.3841566123217),
      V(-0.49442244182504, 0.50111042649961, 0.4833393956018),
      V(0.10175569349804, 0.43305861215288, 0.3338397167506),
  };
  c.spin = {
      V(0.35798162672877, 0.94035437016208, -1.1566451278231),
      V(0.37468105452455, 0.99040625706011, -1.1294401876406),
      V(-0.21468826624258, 1.4863331081293, -1.3462524073633),
      V(0.81217027121322, 1.5877583480081, -1.464404854531),
      V(0.72003419769226, 1.2914061125346, -0.80669622651181),
      V(0.81217027121322, 1.5877583480081, -1.464404854531),
  };
  c.acceleration = {
      V(-1.6764563435461, 0.2727382631492, -0.29712652832976),
      V(4.5930334888935, -1.6124737247913, -0.40521170571568),
      V(-2.9283815682534, -1.3034290095229, -2.4267978628504),
      V(-0.64941311183644, -0.093009523142241, -3.6362972805673),
      V(-2.4532043737289, 0.024105209562944, -3.1591712724607),
      V(-1.7840285415569, -1.0126833468687, -2.1762148290776),
  };
  c.spin_rate = {
      V(-1.9910550900932, -5.2301493021069, 6.4331351031279),
      V(-3.6134113714159, -10.371956635414, 3.6563903366258),
      V(-0.18090075507986, -12.222734188577, 5.5615846217232),
      V(-10.71406799007, -14.667037655694, 5.2210283087324),
      V(-13.602506111413, -26.319853609541, 30.102211372985),
      V(-10.71406799007, -14.667037655694, 5.2210283087324),
  };
  c.place_later = {
      V(-0.22176420984309, -0.36539759649542, 0.23080243905546),
      V(-0.4837147842313, -0.44089738989483, -0.55879860800202),
      V(-0.49514085058989, -0.19959628245995, 0.011440412219586),
      V(-0.51799130899644, -0.37723813402555, -0.083073718005579),
      V(-0.78507407052847, -0.49033301320485, -0.15508129332014),
      V(-0.53549936218115, -0.5946421249927, 0.061676683125452),
  };
  c.attitude_later = {
      Eigen::Quaterniond(0.47041614354721, 0.27225706209049, 0.22054415307693, -0.80990432803857),
      Eigen::Quaterniond(0.13912030128934, 0.56850683930458, 0.63635911803466, -0.50248640611188),
      Eigen::Quaterniond(0.73155294335062, 0.57265965189183, 0.2076487318796, 0.30622413085673),
      Eigen::Quaterniond(0.6058404485935, 0.2808945478753, 0.7190894636894, 0.19226530376758),
      Eigen::Quaterniond(-0.026196712718419, 0.43974670295345, 0.87936663258643, 0.18069558649265),
      Eigen::Quaterniond(0.15186537847062, 0.46934395877813, 0.44611476625985, 0.74674946970545),
  };
  c.energy = 2.7755046628719;
  return c;
}

Chain spherical_tree() {
  Chain c;
  c.links = {
      {JointType::revolute,
       -1,
       {-0.27666972609626, 0.19203975721232, -0.18934798785189},
       {-0.3439730868292, -0.6651449284795, -0.66277050300627, 0.55802940150026, 0.42286594169346,
        -0.71399410530968, 0.75517263099139, -0.61544018350584, 0.22571592307111},
       {0.20815053305827},
       {-0.058490345349161},
       0.67046516766141,
       {0.1602859416468, -0.18663142894946, 0.18277973451005},
       {0.018173140269878, 0.019098968647854, 0.02399475051177, -0.0047975862174809,
        0.0049267371671921, 0.00052425251891855},
       1.0725366162577},
      {JointType::revolute,
       0,
       {0.050512910013257, 0.2410123058272, 0.35454209516211},
       {0.83046457105198, -0.23096785455153, 0.50693436102844, -0.231242169663, 0.68496536111743,
        0.69090485093015, -0.50680928878326, -0.69099660218638, 0.51542995699695},
       {-1.5135847978291},
       {0.18185440917731},
       0.44296912399739,
       {-0.11893571073959, 0.051745826868972, -0.14228050788305},
       {0.010995497018987, 0.0067874320331691, 0.0066906636851113, -0.0014564135577373,
        0.0018658853706665, 0.004395385295975},
       -0.31310226168309},
      {JointType::spherical,
       1,
       {-0.25794865924969, 0.37007752242228, -0.064599783792715},
       {0.92347079716062, 0.37823346074943, -0.064351658572555, -0.35347754072856, 0.90396671431941,
        0.24061963262183, 0.14918215373165, -0.19945833793574, 0.96848389580617},
       {-0.16726068541078, -0.90356250034886, 0.14480903105922},
       {0.91054995203213, -1.1591948413805, -0.66864835672441},
       2.2778058849833,
       {-0.013796759930996, -0.18593269541168, -0.16629093210726},
       {0.027299886771235, 0.041061705819845, 0.026674398690679, -0.0020849927148112,
        -0.010679946919389, -0.0079465169400551},
       0.0},
      {JointType::revolute,
       2,
       {0.064614221223833, -0.14897468152795, 0.021070030962096},
       {0.046015482990942, 0.68104041666946, -0.7307985537669, -0.96227602857902, 0.22660372793486,
        0.15058418013925, 0.26815558943885, 0.69630072623021, 0.66577614744296},
       {-0.60261474711814},
       {0.5764353474962},
       2.3561577685056,
       {0.036737396980666, 0.020795006181301, 0.13920624239618},
       {0.061887083159129, 0.07322893525448, 0.082321221214548, 0.018106135871959, 0.01490686265363,
        -0.003736226513517},
       -0.87285536753146},
      {JointType::revolute,
       3,
       {-0.29648616719558, 0.082661463567356, -0.34239630128492},
       {0.35715673821526, -0.87778620144178, -0.31926548342382, 0.92678609432652, 0.29050716888092,
        0.23806116901289, -0.11621789754777, -0.38091596105599, 0.9172766381536},
       {-1.4724214579974},
       {0.18824160307269},
       2.159784217802,
       {-0.092210472557164, -0.16351230739567, 0.078269612491439},
       {0.064879262584026, 0.041283834120513, 0.035405559792397, -0.0076265857897612,
        0.0026653892430879, 0.022296471998549},
       1.4948505103807},
      {JointType::spherical,
       1,
       {-0.072534285720541, 0.22902288661862, -0.18960942385884},
       {0.08447553752142, 0.06169873622141, -0.99451352404537, 0.68348598707413, 0.7226758899358,
        0.10289054173636, 0.72505916243695, -0.68842779145977, 0.018878212628581},
       {0.00047840074712058, -0.69113579204101, -0.84736453585319},
       {1.2670518075702, -0.98466526806661, 0.027206845420807},
       2.2935799487075,
       {-0.14272761747849, -0.16705846634018, 0.068452862899996},
       {0.025983080248138, 0.028274948777054, 0.035674013968293, 0.012757582676528,
        0.002673440258847, 0.0022993683999315},
       0.0},
  };
  c.velocity = {
      V(0.010609102011417, -0.0097117026272656, 0.00043107923818391),
      V(-0.0067017696039344, -0.0054149624743082, -0.012088818870885),
      V(0.053023717887464, -0.094706659301761, 0.20729195208123),
      V(0.21694718505674, -0.21099586548101, -0.16634298263064),
      V(-0.22546835162762, 0.42889068880486, -0.27159691811643),
      V(-0.20451162471292, -0.17641534816627, 0.23168080819694),
  };
  c.spin = {
      V(0.038765675608074, 0.041761761796828, -0.013202202291234),
      V(-0.13989180845872, 0.070720901948461, -0.030919361370235),
      V(-1.2197741818915, -1.1240245156903, -0.19328304868854),
      V(-0.92659213319832, -0.72826377604516, -0.49277500704911),
      V(-0.87553726388856, -0.55521396239702, -0.5464598600664),
      V(-1.1070447407081, -0.44648596375641, -1.2026012505153),
  };
  c.acceleration = {
      V(-2.0153525267422, 1.8446208559412, -0.082704799717302),
      V(1.1976296271476, -2.3020568121822, -2.4057152537788),
      V(-1.8778749960436, -0.68962079818208, -9.87680772011),
      V(-0.56866400834263, -0.78485568990736, -7.4239177958063),
      V(-0.2991051735949, -0.95176762984642, -12.756170540703),
      V(-0.2995118295244, 1.1080874144633, -8.7174973136176),
  };
  c.spin_rate = {
      V(-7.3636986158721, -7.9328174400663, 2.5078123162691),
      V(-17.078017789952, -6.3552060883875, 1.5530789246475),
      V(6.9056966462192, 9.7290114820468, -4.9121223002338),
      V(-5.2670366391039, -7.6823802113246, 7.7914211196801),
      V(3.7113011697887, 22.253121074751, -1.6418038886648),
      V(17.200818524263, 11.412459801939, 0.73575204991187),
  };
  c.place_later = {
      V(-0.39259264309641, 0.13125814805126, 0.087777936613596),
      V(-0.49187633363484, 0.07547334855659, -0.3611717658421),
      V(-0.58600011460199, 0.19067739468987, -0.52408664688246),
      V(-0.57041589935096, 0.43648684312133, -0.64883870773477),
      V(-0.80857979082017, 0.53198826043052, -0.15761176183944),
      V(-0.35578782581895, 0.032791499914499, -0.33512906983393),
  };
  c.attitude_later = {
      Eigen::Quaterniond(0.46739210726924, -0.067319408117757, -0.61855487691483, 0.62801479249933),
      Eigen::Quaterniond(0.61993100476925, 0.028262882255508, -0.77848135137074,
                         -0.094093274894554),
      Eigen::Quaterniond(-0.19073156531646, 0.21731044807199, 0.81859074454006, 0.49629309092917),
      Eigen::Quaterniond(0.46516489212722, -0.61891347598063, 0.63214769897168, -0.030935724763818),
      Eigen::Quaterniond(0.45049935552391, -0.56299190318025, 0.65402308971302, 0.2287886486438),
      Eigen::Quaterniond(0.30896744936553, 0.24115639559183, 0.90348131462824, 0.17350568352462),
  };
  c.energy = -20.635773067543;
  return c;
}

Chain closed_chain() {
  Chain c;
  c.links = {
      {JointType::revolute,
       -1,
       {-0.17115694267159, 0.3664844532152, 0.2162503457751},
       {0.31390305822454, 0.035793769371082, -0.94878009892255, -0.93428160595313,
        -0.16629322878349, -0.31537983898532, -0.16906433927628, 0.98542649047759,
        -0.018758492746041},
       {-0.21336206410892},
       {-1.749706887592},
       1.7675436616157,
       {0.16334952091596, -0.17254459280915, -0.16986691106414},
       {0.025377306126754, 0.030601820842422, 0.030728563352384, 0.0020344451046359,
        0.0098995134124415, -0.0066250068287463},
       -0.80973087193933},
      {JointType::revolute,
       0,
       {-0.36648770411197, 0.094867923302764, 0.026672171509209},
       {0.62384704524271, -0.065365226019428, 0.77880822502679, -0.546010422994, 0.67652651458835,
        0.49415027374357, -0.55918465834092, -0.73351159655889, 0.38635897244632},
       {0.43447885123243},
       {-1.3713858994771},
       1.8320365642327,
       {-0.1881539405153, 0.16278039569946, 0.14781246853552},
       {0.037480941232878, 0.039736123364929, 0.036810170710521, 0.0026914084527024,
        -0.0063343845012577, -0.001218506815908},
       0.50595414888763},
      {JointType::revolute,
       1,
       {0.32872271988889, 0.26559201039312, 0.20006421575239},
       {0.28186914972121, 0.44927925809388, 0.8477605385261, -0.53760857276709, 0.80580715477269,
        -0.24829790938404, -0.79468660799259, -0.38577581256964, 0.46866855827275},
       {-1.158773285426},
       {1.0404921043152},
       1.1200222138004,
       {-0.16734556108446, -0.1403154092279, -0.0020929820965674},
       {0.01595089715787, 0.016632565754027, 0.0095266875719708, 0.0010708513546007,
        0.003483191546872, 0.0039639984557998},
       -0.56884740270731},
      {JointType::revolute,
       2,
       {-0.34439345081188, -0.030016322436185, -0.16976595880129},
       {0.88711945639093, -0.11332830270113, 0.44741006459349, -0.35111030886916, 0.4634811789438,
        0.81357651623598, -0.29956738991164, -0.87882984278627, 0.37137243614704},
       {-1.1477408696138},
       {-1.0584913259668},
       0.35425986100569,
       {0.055203046982196, -0.18898345284541, -0.043847200053798},
       {0.0051182747865773, 0.0032279421775151, 0.0039540786155133, -0.00099500110077203,
        -0.0002888738029793, -0.0011946356857913},
       1.7623731845687},
  };
  c.velocity = {
      V(-0.080240118010607, 0.24747763619042, -0.10231258857123),
      V(0.63303298885839, -0.53039834771253, 0.51676229232852),
      V(0.60980384177392, -1.0029810017522, -1.1290203678258),
      V(1.1491781225819, -1.4517071670882, -1.179816527987),
  };
  c.spin = {
      V(1.116308488744, 0.37106721761747, 0.022070725041794),
      V(1.2892116555465, 2.4099491547097, -0.30912504228028),
      V(2.054091774033, 1.680506069215, -0.87865938515108),
      V(1.7320211004528, 1.2467079567889, 0.16321456730063),
  };
  c.acceleration = {
      V(-0.30618980883067, 0.92285843018561, -0.029007981297112),
      V(0.064690847491492, -2.7202136208107, -1.6024249308287),
      V(-0.99814528905081, 3.8575217575574, -0.12858603211897),
      V(-9.7286014316939, -12.565148164078, -15.750668420156),
  };
  c.spin_rate = {
      V(3.6555842554981, 1.2151367584602, 0.072275178217982),
      V(3.0250052774417, -3.8673149918881, 3.1704072424018),
      V(-10.463378680384, 7.9699558845631, 9.2403017817612),
      V(25.497636013705, 52.703984052861, -103.00972272007),
  };
  c.place_later = {
      V(-0.0073793249824517, 0.42632793309397, -0.018068069689178),
      V(-0.26567769815118, 0.34451521795374, 0.75399740710466),
      V(0.21570631303999, 0.15239755585113, 0.49783769802305),
      V(0.28941380719677, 0.096051764789564, 0.58715961339645),
  };
  c.attitude_later = {
      Eigen::Quaterniond(0.36971924023484, 0.69406884434708, -0.16627593235261, -0.59491884911066),
      Eigen::Quaterniond(0.55503228629227, 0.709607667862, 0.31320694234725, -0.30049547442534),
      Eigen::Quaterniond(0.18258463513418, 0.19658665532305, 0.95475659690634, -0.12828241744544),
      Eigen::Quaterniond(0.014300821091789, 0.054478718056841, 0.90771526912794, 0.41578906429459),
  };
  c.energy = 27.844799164756;
  return c;
}

// the closed chain's rod: point of the last body, point of the ground, length
const V kTip(0.2, 0.1, -0.15);
const V kAnchor(0.34026069748885, 0.83176762751773, 0.57180737642815);
constexpr double kRod = 0.70710678118655;

V vector(const std::vector<double>& x) { return {x.at(0), x.at(1), x.at(2)}; }

/// The joint force: a wrench about z of the child that turns with it.
class AxialLoad final : public ForceElement {
 public:
  AxialLoad(std::string name, BodyIndex parent, BodyIndex child, bool slides, double size)
      : ForceElement(std::move(name), {}),
        parent_(parent),
        child_(child),
        slides_(slides),
        size_(size) {}
  void bind(const Mechanism& /*mechanism*/, TreeModel& model) override {
    Marker at;
    at.body = child_;
    at_ = model.attach(at);
    inboard_ = model.tree.tree_index(parent_);
  }
  void add_forces(const ForceInput& in, ForceSink& out) const override {
    const Vector6 load = wrench(in);
    out.add_wrench(at_.body, load);
    out.add_wrench(inboard_, -load);
  }
  ForcePower report(const ForceInput& in, double* /*values*/) const override {
    return {0.0, 0.0, wrench(in).dot(in.relative_velocity(inboard_, at_.body))};
  }

 private:
  Vector6 wrench(const ForceInput& in) const {
    const V z = in.axis_of(at_, 2);
    if (slides_) return size_ * make_line(in.position_of(at_), z);
    return make_six(V::Zero(), size_ * z);
  }

  BodyIndex parent_, child_;
  bool slides_;
  double size_;
  Attachment at_;
  TreeIndex inboard_ = 0;
};

/// The description; reversed: every joint is written from the child to the parent.
Mechanism make_mechanism(const Chain& chain, bool reversed) {
  Mechanism m;
  for (std::size_t k = 0; k < chain.links.size(); ++k) {
    const Link& link = chain.links[k];
    Frame X_PJ;
    X_PJ.A = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(link.fixed.data());
    X_PJ.p = vector(link.offset);
    Eigen::Matrix3d J;
    J << link.J[0], link.J[3], link.J[4], link.J[3], link.J[1], link.J[5], link.J[4], link.J[5],
        link.J[2];
    const std::string number = std::to_string(k);
    const BodyIndex body = add_body(m, "body" + number, link.mass, pose_of(m, link.parent) * X_PJ,
                                    J, vector(link.com));
    Joint joint;
    joint.name = "joint" + number;
    joint.type = link.type;
    joint.a.body = link.parent;
    joint.a.X_BF = X_PJ;
    joint.b.body = body;
    joint.position = link.q;
    joint.velocity = link.qd;
    if (link.type == JointType::spherical) {
      // the engine counts the angular velocity of a triad in the axes of a
      const V w = rotation_exp(vector(link.q)) * vector(link.qd);
      joint.velocity = {w.x(), w.y(), w.z()};
    }
    if (reversed) {
      std::swap(joint.a, joint.b);
      if (link.type == JointType::spherical) {
        // parent against child: opposite rotation, and opposite velocity in the child's axes
        for (std::size_t i = 0; i < 3; ++i) {
          joint.position[i] = -link.q[i];
          joint.velocity[i] = -link.qd[i];
        }
      } else {
        // a turn or slide along the common z changes sign with its ends
        joint.position[0] = -link.q[0];
        joint.velocity[0] = -link.qd[0];
      }
    }
    m.joints.push_back(joint);
  }
  return m;
}

Model make_model(const Chain& chain, Mechanism m) {
  std::vector<std::unique_ptr<ForceElement>> loads;
  for (std::size_t k = 0; k < chain.links.size(); ++k) {
    const Link& link = chain.links[k];
    loads.push_back(std::make_unique<AxialLoad>("load" + std::to_string(k), link.parent,
                                                static_cast<int>(k),
                                                link.type == JointType::prismatic, link.force));
  }
  return compile(m, std::move(loads));
}

// accelerations of the start; relative to the largest one, digits 13
constexpr double kAcceleration = 1e-9;
// trapezoidal rule at h = 2e-4 over 0.2 s: h^2 w^3 t / 12 with rates of up to 10 rad/s
constexpr double kTrajectory = 1e-6;

void expect_start(Simulation& run, const Chain& chain, double limit) {
  for (std::size_t k = 0; k < chain.links.size(); ++k) {
    const Motion m = run.com(static_cast<BodyIndex>(k));
    expect_close(m.velocity, chain.velocity[k], 0.0, 1e-12);
    expect_close(m.w, chain.spin[k], 0.0, 1e-12);
    expect_close(m.acceleration, chain.acceleration[k], 0.0, limit);
    expect_close(m.wd, chain.spin_rate[k], 0.0, limit);
  }
}

void expect_later(Simulation& run, const Chain& chain, double limit) {
  run.run_to(0.2);
  for (std::size_t k = 0; k < chain.links.size(); ++k) {
    const Motion m = run.com(static_cast<BodyIndex>(k));
    expect_close(m.X.p, chain.place_later[k], 0.0, limit);
    expect_close(m.X.A, chain.attitude_later[k].normalized().toRotationMatrix(), 0.0, 3.0 * limit);
  }
}

struct Case {
  const char* name;
  Chain (*chain)();
  bool reversed;
};

class RandomTree : public testing::TestWithParam<Case> {};

TEST_P(RandomTree, AcceleratesAsMaximalCoordinatesSay) {
  const Chain chain = GetParam().chain();
  Simulation run(make_model(chain, make_mechanism(chain, GetParam().reversed)), 2e-4);
  expect_start(run, chain, kAcceleration);
  expect_close(run.stored_energy(), chain.energy, 1e-12, 0.0);
}

TEST_P(RandomTree, MovesAsMaximalCoordinatesSay) {
  const Chain chain = GetParam().chain();
  Simulation run(make_model(chain, make_mechanism(chain, GetParam().reversed)), 2e-4);
  expect_later(run, chain, kTrajectory);
}

INSTANTIATE_TEST_SUITE_P(Trees, RandomTree,
                         testing::Values(Case{"revolute", revolute_tree, false},
                                         Case{"revolute", revolute_tree, true},
                                         Case{"spherical", spherical_tree, false},
                                         Case{"spherical", spherical_tree, true}));

class ClosedChain : public testing::TestWithParam<bool> {};

TEST_P(ClosedChain, MovesAsMaximalCoordinatesSay) {
  const Chain chain = closed_chain();
  Mechanism m = make_mechanism(chain, GetParam());
  Constraint rod;
  rod.name = "rod";
  rod.a.X_BF.p = kAnchor;
  rod.b.body = static_cast<BodyIndex>(chain.links.size()) - 1;
  rod.b.X_BF.p = kTip;
  rod.length = kRod;
  m.constraints.push_back(rod);
  Model model = make_model(chain, m);
  // the reference's velocities, which the rod admits: joint rates from the angular velocities about
  // each z
  Simulation bare(make_model(chain, make_mechanism(chain, GetParam())), 2e-4);
  for (std::size_t k = 0; k < chain.links.size(); ++k) {
    const V z = bare.com(static_cast<BodyIndex>(k)).X.A.col(2);
    const V inboard = chain.links[k].parent < 0
                          ? V::Zero()
                          : chain.spin[static_cast<std::size_t>(chain.links[k].parent)];
    const double rate = z.dot(chain.spin[k] - inboard);
    model.mechanism.joints[k].velocity = {GetParam() ? -rate : rate};
  }
  Simulation run(std::move(model), 2e-4);
  expect_start(run, chain, kAcceleration);
  expect_close(run.stored_energy(), chain.energy, 1e-12, 0.0);
  expect_later(run, chain, kTrajectory);
}

INSTANTIATE_TEST_SUITE_P(Sides, ClosedChain, testing::Bool());

}  // namespace
}  // namespace semirec::test
